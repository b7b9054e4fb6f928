import type { PortalGreeting } from '#contract/crm/settings.ts'
import { limits } from '#contract/limits.ts'
import { type Html, HtmlPage, html, type PageSender } from '#platform/http/html-page.ts'
import { type Language, writing } from '#platform/language.ts'
import type { BudgetRow, ListedBudgetRow } from '../budgets/budget.row.ts'
import { hasExpired } from '../budgets/budget.rules.ts'
import { budgetTables } from '../signing/page/budget-tables.html.ts'
import { declineForm, signForm } from '../signing/page/signing-forms.html.ts'
import { expiredNote } from '../signing/page/signing-page.html.ts'
import type { CustomerRow } from './portal.sql.ts'
import { texts } from './portal.texts.ts'

const otherLanguage = { es: 'en', en: 'es' } as const

/** The layout of portal pages for a signed-in customer; `section` is the part of the portal that the page belongs to. */
export function portalPage(
  language: Language,
  { sender }: Pick<CustomerRow, 'sender'>,
  { section, title, body }: { section: 'budgets' | 'invoices'; title: string; body: Html },
): HtmlPage {
  const t = texts[language]
  const links = (['budgets', 'invoices'] as const).map(
    one => html`<a href="/portal/${one}"${one === section && html` aria-current="page"`}>${t[one]}</a>
`,
  )
  return new HtmlPage({
    language,
    title,
    sender: { ...sender, name: t.portal(sender.name) },
    body: html`<nav aria-label="${t.portal(sender.name)}">
${links}</nav>
${body}
<form method="post" action="/portal/sign-out"><button class="quiet">${t.signOut}</button></form>`,
  })
}

/** The greeting of the organization in this language, or else in the other one (PRT-14). Empty lines separate paragraphs. */
function greetingParagraphs(language: Language, greeting: PortalGreeting): Html[] {
  const written = greeting[language] === null ? otherLanguage[language] : language
  return (greeting[written] ?? '')
    .split(/\n{2,}/)
    .filter(Boolean)
    .map(paragraph => {
      const lines = paragraph.split('\n').map((line, at) => [at > 0 && html`<br>`, line])
      return html`<p lang="${written}">${lines}</p>`
    })
}

/** The form that requests a portal link. */
export function signInPage(
  language: Language,
  {
    organizationId,
    sender,
    greeting,
  }: { organizationId: string; sender: PageSender; greeting: PortalGreeting },
): HtmlPage {
  const t = texts[language]
  return new HtmlPage({
    language,
    title: t.portal(sender.name),
    sender,
    body: html`${greetingParagraphs(language, greeting)}<form method="post" action="/portal/sign-in">
<input type="hidden" name="organizationId" value="${organizationId}">
<label for="email">${t.email}</label>
<input type="email" id="email" name="email" required maxlength="${limits.email}" autocomplete="email">
<button>${t.sendLink}</button>
</form>`,
  })
}

export function linkSentPage(language: Language): HtmlPage {
  const t = texts[language]
  const body = html`<p>${t.linkSentText(limits.portalLinkMinutes)}</p>`
  return new HtmlPage({ language, title: t.linkSent, body, status: 202 })
}

/** The page of a portal link: only the button uses the link. */
export function confirmSignInPage(language: Language, token: string): HtmlPage {
  const t = texts[language]
  return new HtmlPage({
    language,
    title: t.signInTitle,
    body: html`<p>${t.worksOnce}</p>
<form method="post" action="/portal/session">
<input type="hidden" name="token" value="${token}">
<button>${t.signIn}</button>
</form>`,
  })
}

/** Sets the session cookie and redirects to the budgets. */
export function signedInPage(language: Language, cookie: string): HtmlPage {
  const t = texts[language]
  return new HtmlPage({
    language,
    title: t.budgets,
    status: 303,
    headers: { location: '/portal/budgets', 'set-cookie': cookie },
    body: html`<p><a href="/portal/budgets">${t.budgets}</a></p>`,
  })
}

export function signedOutPage(language: Language, cookie: string): HtmlPage {
  const t = texts[language]
  return new HtmlPage({
    language,
    title: t.signedOut,
    headers: { 'set-cookie': cookie },
    body: html`<p>${t.comeBack}</p>`,
  })
}

/** The first page after the sign-in, with the greeting of the organization. */
export function budgetsPage(
  language: Language,
  customer: CustomerRow,
  { budgets, greeting }: { budgets: ListedBudgetRow[]; greeting: PortalGreeting },
): HtmlPage {
  const t = texts[language]
  const { day, moneyIn } = writing[language]
  const rows = budgets.map(
    ({ id, code, title, issue_date, currency, total_cents, ...budget }) => html`<tr>
<td><a href="/portal/budgets/${id}">${code}</a><br>${title}<br><small>${day(issue_date)}</small></td>
<td class="figure">${moneyIn(currency)(total_cents)}<br><small>${statusText(language, budget)}</small></td>
</tr>`,
  )
  const table = html`<table>
<thead><tr><th>${t.budget}</th><th class="figure">${t.total}</th></tr></thead>
${rows}
</table>`
  const body = html`${greetingParagraphs(language, greeting)}
${rows.length === 0 ? html`<p>${t.none}</p>` : table}`
  return portalPage(language, customer, { section: 'budgets', title: t.budgets, body })
}

/** A budget in the portal, with the content and the forms to sign and decline it while it is pending. Works without JavaScript. */
export function budgetPage(
  language: Language,
  customer: CustomerRow,
  {
    budget,
    documentHash,
    hasSeveralSigners,
    isSealed,
  }: { budget: BudgetRow; documentHash: string; hasSeveralSigners: boolean; isSealed: boolean },
): HtmlPage {
  const t = texts[language]
  const at = `/portal/budgets/${budget.id}`
  const isPending = budget.status === 'SENT'
  const canBeSigned = isPending && !budget.is_expired
  return portalPage(language, customer, {
    section: 'budgets',
    title: `${t.budgets}: ${budget.code}`,
    body: html`<p><strong>${budget.title}</strong><br>${statusText(language, budget)}</p>
${hasExpired(budget) && expiredNote(language, budget, customer.sender.name)}
${isPending && budgetTables(language, budget)}
<p><a class="button quiet" href="${at}/pdf" target="_blank" rel="noopener">${t.openPdf}</a></p>
${isSealed && html`<p><a class="button quiet" href="${at}/sealed-pdf" target="_blank" rel="noopener">${t.openSealed}</a></p>`}
${canBeSigned && hasSeveralSigners && html`<p>${t.severalSigners}</p>`}
${canBeSigned && !hasSeveralSigners && signForm(language, { action: `${at}/sign`, documentHash, name: '' })}
${canBeSigned && declineForm(language, `${at}/decline`)}
<p><a href="/portal/budgets">${t.back}</a></p>`,
  })
}

function statusText(language: Language, budget: Pick<BudgetRow, 'status' | 'is_expired'>): string {
  const { states, expired } = texts[language]
  return hasExpired(budget) ? expired : states[budget.status as keyof typeof states]
}
