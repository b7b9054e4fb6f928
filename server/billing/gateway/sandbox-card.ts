import { limits } from '#contract/limits.ts'
import type { TypedCard } from '#platform/adapters/gateway.ts'
import { type Html, html } from '#platform/http/html-page.ts'

/**
 * The fields of a card on the pages of the sandbox, which has no card form of its own. `isWrong`: the number was refused, and the
 * element with the id `wrong` says why.
 */
export function sandboxCardFields(labels: { number: string; expires: string }, isWrong = false): Html {
  return html`<label for="number">${labels.number}</label>
<input type="text" id="number" name="number" required maxlength="${String(limits.cardNumber)}" inputmode="numeric" autocomplete="cc-number" ${isWrong && html`aria-describedby="wrong" autofocus`}>
<label for="expires">${labels.expires}</label>
<input type="text" id="expires" name="expires" required maxlength="7" pattern="(0?[1-9]|1[0-2])/(20)?[0-9]{2}" placeholder="12/40" autocomplete="cc-exp">`
}

/** The card of these fields. `expires` is MM/YY or MM/YYYY. */
export function typedCardOf({ number, expires }: { number: string; expires: string }): TypedCard {
  const [month = '', year = ''] = expires.split('/')
  return {
    number,
    expiresMonth: Number(month),
    expiresYear: Number(year.length === 2 ? `20${year}` : year),
  }
}
