import { type Html, html, type Language, Page } from '#platform/page.ts'
import type { BudgetRow } from '../../budgets/row.ts'
import type { OpenLink } from '../access.ts'
import { consentTexts } from '../consent.ts'
import { texts } from './texts.ts'

type Shown = { link: OpenLink; budget: BudgetRow; token: string; documentHash: string }

/** Where a signer reads what they are asked to sign, signs it or declines it. Works without any script. */
export function signingPage(language: Language, { link, budget, token, documentHash }: Shown): Page {
  const t = texts[language]
  const what = link.document_id === null ? dataOf(language, budget) : pdfOf(language, token)
  return new Page({
    language,
    title: `${t.budget} ${budget.code}`,
    body: html`<p>${t.from(link.organization_name)}<br><strong>${budget.title}</strong></p>
${what}
<form method="post" action="/s/${token}/sign">
<h2>${t.sign}</h2>
<input type="hidden" name="documentHash" value="${documentHash}">
<label for="name">${t.name}</label>
<input type="text" id="name" name="name" required maxlength="200" autocomplete="name" value="${link.signer_name}">
<label class="tick"><input type="checkbox" name="consent" value="${language}" required>
<span>${consentTexts[language]}</span></label>
<button>${t.signNow}</button>
</form>
<p><small>${t.fingerprint}: <code>${documentHash}</code></small></p>
<form method="post" action="/s/${token}/decline">
<h2>${t.decline}</h2>
<label for="reason">${t.reason}</label>
<textarea id="reason" name="reason" rows="3" maxlength="1000"></textarea>
<button class="quiet">${t.declineNow}</button>
</form>`,
  })
}

export function signedPage(
  language: Language,
  signed: { code: string; signerName: string; signedAt: string; documentHash: string },
): Page {
  const t = texts[language]
  return new Page({
    language,
    title: t.isSigned(signed.code),
    body: html`<p>${t.thanks(signed.signerName)}</p>
<p>${t.date}: ${signed.signedAt.slice(0, 19).replace('T', ' ')} UTC<br>
${t.fingerprint}: <code>${signed.documentHash}</code></p>`,
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

/** All of the budget that its client sees: what the fingerprint is computed over. */
function dataOf(language: Language, budget: BudgetRow): Html {
  const t = texts[language]
  const money = (cents: number) => amount(language, budget.currency, cents)
  const { sections, discounts, taxes } = budget.content
  return html`<p>${t.issued}: ${budget.issue_date}${budget.valid_until && html`<br>${t.validUntil}: ${budget.valid_until}`}</p>
${sections.map(
  section => html`${section.title && html`<h2>${section.title}</h2>`}
${section.description && html`<p>${section.description}</p>`}
<div class="wide"><table>
<tr><th>${t.item}</th><th class="figure">${t.quantity}</th><th class="figure">${t.price}</th><th class="figure">${t.amount}</th></tr>
${section.items.map(
  item => html`<tr>
<td>${item.name}${item.optional && html` (${item.selected ? t.chosen : t.notChosen})`}
${item.description && html`<br><small>${item.description}</small>`}
${item.taxes.map(({ name, rate }) => html`<br><small>${name} ${rate} %</small>`)}</td>
<td class="figure">${item.quantity} ${item.unit}</td>
<td class="figure">${money(item.unitPriceCents)}${item.discount && html`<br><small>− ${item.discount.kind === 'PERCENT' ? `${item.discount.value} %` : money(Number(item.discount.value))}</small>`}</td>
<td class="figure">${money(item.subtotalCents)}</td>
</tr>`,
)}
</table></div>`,
)}
<table>
<tr><th>${t.subtotal}</th><td class="figure">${money(budget.subtotal_cents)}</td></tr>
${discounts.map(({ name, amountCents }) => html`<tr><td>${name}</td><td class="figure">− ${money(amountCents)}</td></tr>`)}
${taxes.map(({ name, rate, amountCents }) => html`<tr><td>${name} ${rate} %</td><td class="figure">${money(amountCents)}</td></tr>`)}
<tr><th>${t.total}</th><td class="figure"><strong>${money(budget.total_cents)}</strong></td></tr>
</table>
${budget.conditions && html`<h2>${t.conditions}</h2>${paragraphs(budget.conditions)}`}
${budget.notes && html`<h2>${t.notes}</h2>${paragraphs(budget.notes)}`}`
}

function paragraphs(text: string): Html {
  return html`${text.split('\n').map(line => html`<p>${line}</p>`)}`
}

/** Cents of a currency as people write it; exactly, whatever the number. */
function amount(language: Language, currency: string, cents: number): string {
  const format = new Intl.NumberFormat(language, { style: 'currency', currency })
  const places = format.resolvedOptions().maximumFractionDigits ?? 2
  const digits = String(Math.abs(cents)).padStart(places + 1, '0')
  const whole = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
  return format.format(`${cents < 0 ? '-' : ''}${whole}` as Intl.StringNumericLiteral)
}
