import type { Issuer } from '#contract/crm/issuer.ts'
import { type Html, HtmlPage, html } from '#platform/http/html-page.ts'
import { type Language, writing } from '#platform/language.ts'
import type { BudgetRow } from '../../budgets/budget.row.ts'
import type { OpenLink } from '../signing-link.access.ts'
import { budgetTables } from './budget-tables.html.ts'
import { declineForm, signForm } from './signing-forms.html.ts'
import { texts } from './signing-page.texts.ts'

type SigningPageData = { link: OpenLink; budget: BudgetRow; token: string; documentHash: string }

/** The page where a signer reads, signs or declines a budget. Works without JavaScript. */
export function signingPage(
  language: Language,
  { link, budget, token, documentHash }: SigningPageData,
): HtmlPage {
  const t = texts[language]
  const what = link.document_id === null ? budgetTables(language, budget) : pdfLink(language, token)
  return new HtmlPage({
    language,
    title: `${t.budget} ${budget.code}`,
    body: html`<p>${t.from(link.organization_name)}<br><strong>${budget.title}</strong></p>
${what}
${signForm(language, { action: `/s/${token}/sign`, documentHash, name: link.signer_name })}
${declineForm(language, `/s/${token}/decline`)}`,
  })
}

type ExpiredPageData = Omit<SigningPageData, 'documentHash'> & { issuer: Issuer | undefined }

/** The page of an expired budget, which can still be read, with the contact details of its issuer. */
export function expiredPage(language: Language, { link, budget, token, issuer }: ExpiredPageData): HtmlPage {
  const t = texts[language]
  const ways = [
    issuer?.email && html`<br><a href="mailto:${issuer.email}">${issuer.email}</a>`,
    issuer?.phone && html`<br>${issuer.phone}`,
  ]
  return new HtmlPage({
    language,
    title: t.isExpired(budget.code),
    body: html`<p><strong>${budget.title}</strong></p>
${expiredNote(language, budget, link.organization_name)}
<p>${issuer?.legalName ?? link.organization_name}${ways}</p>
${link.document_id !== null && html`<p><a href="/s/${token}/pdf" target="_blank" rel="noopener">${t.openPdf}</a></p>`}`,
  })
}

/** States the last day of a budget and who can extend it. */
export function expiredNote(
  language: Language,
  { valid_until }: Pick<BudgetRow, 'valid_until'>,
  organization: string,
): Html {
  const { expiredOn, ask } = texts[language]
  return html`<p>${expiredOn(writing[language].day(valid_until!))} ${ask(organization)}</p>`
}

/** The signature on the page of a used link. */
type SignedPageData = {
  code: string
  signerName: string
  signedAt: string
  documentHash: string
  /** The URL of the signed PDF; null if the data was signed. */
  pdf: string | null
}

export function signedPage(
  language: Language,
  { code, signerName, signedAt, ...signed }: SignedPageData,
): HtmlPage {
  const t = texts[language]
  return new HtmlPage({
    language,
    title: t.isSigned(code),
    body: html`<p>${t.thanks(signerName)}</p>
<p>${t.date}: ${writing[language].moment(signedAt)}<br>
${t.fingerprint}: <code>${signed.documentHash}</code></p>
${signed.pdf && html`<p><a class="button" href="${signed.pdf}" target="_blank" rel="noopener">${t.openSigned}</a></p>`}`,
  })
}

export function declinedPage(language: Language, code: string): HtmlPage {
  const t = texts[language]
  return new HtmlPage({ language, title: t.isDeclined(code), body: html`<p>${t.senderNotified}</p>` })
}

function pdfLink(language: Language, token: string): Html {
  const t = texts[language]
  return html`<p>${t.readPdf}</p>
<p><a class="button" href="/s/${token}/pdf" target="_blank" rel="noopener">${t.openPdf}</a></p>`
}
