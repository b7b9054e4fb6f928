import { limits } from '#contract/limits.ts'
import { type Html, HtmlPage, html } from '#platform/http/html-page.ts'
import { type Language, writing } from '#platform/language.ts'
import type { BudgetRow, ListedBudgetRow } from '../budgets/budget.row.ts'
import { hasExpired } from '../budgets/budget.rules.ts'
import { budgetTables } from '../signing/page/budget-tables.html.ts'
import { declineForm, signForm } from '../signing/page/signing-forms.html.ts'
import { expiredNote } from '../signing/page/signing-page.html.ts'
import type { CustomerRow } from './portal.sql.ts'
import { texts } from './portal.texts.ts'

/** The layout of portal pages for a signed-in customer. */
export function portalPage(
  language: Language,
  { organization_name }: Pick<CustomerRow, 'organization_name'>,
  { title, body }: { title: string; body: Html },
): HtmlPage {
  const t = texts[language]
  return new HtmlPage({
    language,
    title,
    body: html`<nav aria-label="${t.portal(organization_name)}"><p>${t.portal(organization_name)}<br>
<a href="/portal/budgets">${t.budgets}</a> · <a href="/portal/invoices">${t.invoices}</a></p></nav>
${body}
<form method="post" action="/portal/sign-out"><button class="quiet">${t.signOut}</button></form>`,
  })
}

/** The form that requests a portal link. */
export function signInPage(language: Language, organization: { id: string; name: string }): HtmlPage {
  const t = texts[language]
  return new HtmlPage({
    language,
    title: t.portal(organization.name),
    body: html`<form method="post" action="/portal/sign-in">
<input type="hidden" name="organizationId" value="${organization.id}">
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

export function budgetsPage(language: Language, customer: CustomerRow, budgets: ListedBudgetRow[]): HtmlPage {
  const t = texts[language]
  const { day, moneyIn } = writing[language]
  const rows = budgets.map(
    ({ id, code, title, issue_date, currency, total_cents, ...budget }) => html`<tr>
<td><a href="/portal/budgets/${id}">${code}</a><br>${title}</td>
<td>${day(issue_date)}</td>
<td class="figure">${moneyIn(currency)(total_cents)}</td>
<td>${statusText(language, budget)}</td>
</tr>`,
  )
  const table = html`<div class="wide"><table>
<tr><th>${t.title}</th><th>${t.date}</th><th class="figure">${t.total}</th><th>${t.status}</th></tr>
${rows}
</table></div>`
  const body = rows.length === 0 ? html`<p>${t.none}</p>` : table
  return portalPage(language, customer, { title: t.budgets, body })
}

/** A budget in the portal, with the content and the forms to sign and decline it while it is pending. Works without JavaScript. */
export function budgetPage(
  language: Language,
  customer: CustomerRow,
  { budget, documentHash }: { budget: BudgetRow; documentHash: string },
): HtmlPage {
  const t = texts[language]
  const at = `/portal/budgets/${budget.id}`
  const isPending = budget.status === 'SENT'
  const canBeSigned = isPending && !budget.is_expired
  return portalPage(language, customer, {
    title: `${t.budgets}: ${budget.code}`,
    body: html`<p><strong>${budget.title}</strong><br>${statusText(language, budget)}</p>
${hasExpired(budget) && expiredNote(language, budget, customer.organization_name)}
${isPending && budgetTables(language, budget)}
<p><a class="button" href="${at}/pdf" target="_blank" rel="noopener">${t.openPdf}</a></p>
${canBeSigned && signForm(language, { action: `${at}/sign`, documentHash, name: '' })}
${canBeSigned && declineForm(language, `${at}/decline`)}
<p><a href="/portal/budgets">${t.back}</a></p>`,
  })
}

function statusText(language: Language, budget: Pick<BudgetRow, 'status' | 'is_expired'>): string {
  const { states, expired } = texts[language]
  return hasExpired(budget) ? expired : states[budget.status as keyof typeof states]
}
