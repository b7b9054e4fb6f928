import type { Language } from '../../words/words.ts'
import { reasonText } from '../direct-debits/reason-code.words.ts'

type Failure = { failureCode: string | null; declineCode: string | null; failureMessage: string | null }

/** Why an invoice was not collected, by the code of the bank or of the gateway. */
const texts: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  insufficient_funds: { es: 'La tarjeta no tiene saldo suficiente.', en: 'The card has not enough funds.' },
  expired_card: { es: 'La tarjeta ha caducado.', en: 'The card has expired.' },
  lost_card: { es: 'La tarjeta figura como perdida.', en: 'The card was reported lost.' },
  stolen_card: { es: 'La tarjeta figura como robada.', en: 'The card was reported stolen.' },
  incorrect_cvc: { es: 'El código de la tarjeta no es correcto.', en: 'The code of the card is wrong.' },
  authentication_required: {
    es: 'El banco pide que el cliente lo confirme.',
    en: 'The bank asks the client to confirm it.',
  },
  card_declined: { es: 'El banco rechazó la tarjeta.', en: 'The bank declined the card.' },
  processing_error: { es: 'El banco tuvo un fallo.', en: 'The bank had a failure.' },
  amount_too_small: {
    es: 'El importe es menor que el mínimo de la pasarela.',
    en: 'The amount is below the minimum of the gateway.',
  },
  gateway_unavailable: {
    es: 'La pasarela no respondió. No se cobró nada.',
    en: 'The gateway did not answer. Nothing was collected.',
  },
  direct_debit_rejected: { es: 'El banco rechazó el adeudo.', en: 'The bank rejected the direct debit.' },
  direct_debit_returned: { es: 'El banco devolvió el adeudo.', en: 'The bank returned the direct debit.' },
  canceled: { es: 'Se canceló antes de cobrarse.', en: 'It was cancelled before it was collected.' },
}

/** The reason in words: the most exact one that is known, else what the gateway wrote; empty without a failure. */
export function failureText(
  { failureCode, declineCode, failureMessage }: Failure,
  language: Language,
): string {
  const known = texts[declineCode ?? ''] ?? (declineCode === null ? texts[failureCode ?? ''] : undefined)
  const reason = declineCode === null ? undefined : reasonText(declineCode, language)
  return (
    reason ?? known?.[language] ?? failureMessage ?? texts[failureCode ?? '']?.[language] ?? failureCode ?? ''
  )
}
