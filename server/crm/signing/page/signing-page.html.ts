import type { Issuer } from '#contract/crm/issuer.ts'
import { type Html, HtmlPage, html, type PageSender } from '#platform/http/html-page.ts'
import { type Language, writing } from '#platform/language.ts'
import { required } from '#platform/required.ts'
import type { BudgetRow } from '../../budgets/budget.row.ts'
import type { RequestSignerRow } from '../../signature-requests/signature-request.row.ts'
import { fingerprint2 } from '../../signatures/canonical/v2.ts'
import type { OpenLink } from '../signing-link.access.ts'
import { budgetTables } from './budget-tables.html.ts'
import { signerList } from './signers.html.ts'
import { declineForm, signForm } from './signing-forms.html.ts'
import { texts } from './signing-page.texts.ts'

type SigningPageData = {
  link: OpenLink
  budget: BudgetRow
  token: string
  documentHash: string
  /** All signers of the request that the link belongs to; none for a single signer. */
  signers: readonly RequestSignerRow[]
}

/** The page where a signer reads, signs or declines a budget. Works without JavaScript. */
export function signingPage(
  language: Language,
  { link, budget, token, documentHash, signers }: SigningPageData,
): HtmlPage {
  const t = texts[language]
  const hasPdf = link.document_id !== null
  // a budget may change while a link keeps its document (LNKS-20)
  const isSame = !hasPdf || link.document_data_sha256 === fingerprint2(budget)
  return new HtmlPage({
    language,
    title: `${t.budget} ${budget.code}`,
    sender: link.sender,
    body: html`<p><strong>${budget.title}</strong></p>
${signerList(language, signers, link.id)}
${isSame && budgetTables(language, budget)}
${hasPdf && pdfLink(language, token)}
${signForm(language, { action: `/s/${token}/sign`, documentHash, name: link.signer_name })}
${declineForm(language, `/s/${token}/decline`)}`,
  })
}

type ExpiredPageData = Omit<SigningPageData, 'documentHash' | 'signers'> & { issuer: Issuer | undefined }

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
    sender: link.sender,
    body: html`<p><strong>${budget.title}</strong></p>
${expiredNote(language, budget, link.sender.name)}
<p>${issuer?.legalName ?? link.sender.name}${ways}</p>
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
  return html`<p>${expiredOn(writing[language].day(required(valid_until, 'the last day of an expired budget')))} ${ask(organization)}</p>`
}

/** The signature on the page of a used link. */
type SignedPageData = {
  sender: PageSender
  code: string
  signerName: string
  signedAt: string
  documentHash: string
  /** The URL of the signed PDF; null if the data was signed. */
  pdf: string | null
  /** The URL of the sealed PDF; null if there will be none. */
  sealed: string | 'WAITING' | null
  /** The signers of the budget, if there are several. */
  signers?: Html | undefined
  /** Whether others have still to sign. */
  isPartial?: boolean
}

export function signedPage(
  language: Language,
  { code, signerName, signedAt, isPartial, ...signed }: SignedPageData,
): HtmlPage {
  const t = texts[language]
  return new HtmlPage({
    language,
    title: isPartial ? t.isSignedByOne(code) : t.isSigned(code),
    sender: signed.sender,
    body: html`<p>${isPartial ? t.thanksForOne(signerName) : t.thanks(signerName)}</p>
${signed.signers}
<p>${t.date}: ${writing[language].moment(signedAt)}<br>
${t.fingerprint}: <code>${signed.documentHash}</code></p>
${signed.pdf && html`<p><a class="button" href="${signed.pdf}" target="_blank" rel="noopener">${t.openSigned}</a></p>`}
${signed.sealed === 'WAITING' && html`<p>${t.sealWaits}</p>`}
${signed.sealed && signed.sealed !== 'WAITING' && html`<p><a class="button" href="${signed.sealed}" target="_blank" rel="noopener">${t.openSealed}</a></p>`}`,
  })
}

export function declinedPage(
  language: Language,
  { code, sender }: { code: string; sender: PageSender },
): HtmlPage {
  const t = texts[language]
  return new HtmlPage({
    language,
    title: t.isDeclined(code),
    sender,
    body: html`<p>${t.senderNotified}</p>`,
  })
}

function pdfLink(language: Language, token: string): Html {
  const t = texts[language]
  return html`<h2>${t.document}</h2>
<p>${t.readPdf}</p>
<p><a class="button quiet" href="/s/${token}/pdf" target="_blank" rel="noopener">${t.openPdf}</a></p>`
}
