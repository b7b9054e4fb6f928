import { type Html, html, type Language, Page } from '#platform/page.ts'
import type { BudgetRow } from '../../budgets/row.ts'
import type { OpenLink } from '../access.ts'
import { signForm } from './form.ts'
import { budgetTables } from './tables.ts'
import { texts } from './texts.ts'

type Shown = { link: OpenLink; budget: BudgetRow; token: string; documentHash: string }

/** Where a signer reads what they are asked to sign, signs it or declines it. Works without any script. */
export function signingPage(language: Language, { link, budget, token, documentHash }: Shown): Page {
  const t = texts[language]
  const what = link.document_id === null ? budgetTables(language, budget) : pdfOf(language, token)
  return new Page({
    language,
    title: `${t.budget} ${budget.code}`,
    body: html`<p>${t.from(link.organization_name)}<br><strong>${budget.title}</strong></p>
${what}
${signForm(language, { action: `/s/${token}/sign`, documentHash, name: link.signer_name })}
<form method="post" action="/s/${token}/decline">
<h2>${t.decline}</h2>
<label for="reason">${t.reason}</label>
<textarea id="reason" name="reason" rows="3" maxlength="1000"></textarea>
<button class="quiet">${t.declineNow}</button>
</form>`,
  })
}

/** A signature as its signer is shown it. */
export type Signed = {
  code: string
  signerName: string
  signedAt: string
  documentHash: string
  /** Where the PDF is that was signed; null when data was. */
  pdf: string | null
}

export function signedPage(language: Language, { code, signerName, signedAt, ...signed }: Signed): Page {
  const t = texts[language]
  return new Page({
    language,
    title: t.isSigned(code),
    body: html`<p>${t.thanks(signerName)}</p>
<p>${t.date}: ${signedAt.slice(0, 19).replace('T', ' ')} UTC<br>
${t.fingerprint}: <code>${signed.documentHash}</code></p>
${signed.pdf && html`<p><a class="button" href="${signed.pdf}" target="_blank" rel="noopener">${t.openSigned}</a></p>`}`,
  })
}

export function declinedPage(language: Language, code: string): Page {
  const t = texts[language]
  return new Page({ language, title: t.isDeclined(code), body: html`<p>${t.told}</p>` })
}

function pdfOf(language: Language, token: string): Html {
  const t = texts[language]
  return html`<p>${t.readPdf}</p>
<p><a class="button" href="/s/${token}/pdf" target="_blank" rel="noopener">${t.openPdf}</a></p>`
}
