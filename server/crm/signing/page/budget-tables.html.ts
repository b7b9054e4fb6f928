import { type Html, html } from '#platform/http/html-page.ts'
import { type Language, writing } from '#platform/language.ts'
import type { BudgetRow } from '../../budgets/budget.row.ts'
import { texts } from './signing-page.texts.ts'

/** Shows everything in a budget that the fingerprint covers. */
export function budgetTables(language: Language, budget: BudgetRow): Html {
  const t = texts[language]
  const { day, moneyIn, quantity, rate } = writing[language]
  const money = moneyIn(budget.currency)
  const { sections, discounts, taxes } = budget.content
  return html`<p>${t.issued}: ${day(budget.issue_date)}${budget.valid_until && html`<br>${t.validUntil}: ${day(budget.valid_until)}`}</p>
${sections.map(
  section => html`${section.title && html`<h2>${section.title}</h2>`}
${section.description && html`<p>${section.description}</p>`}
<div class="wide"><table>
<tr><th>${t.item}</th><th class="figure">${t.quantity}</th><th class="figure">${t.price}</th><th class="figure">${t.amount}</th></tr>
${section.items.map(
  item => html`<tr>
<td>${item.name}${item.optional && html` (${item.selected ? t.chosen : t.notChosen})`}
${item.description && html`<br><small>${item.description}</small>`}
${item.taxes.map(tax => html`<br><small>${tax.name} ${rate(tax.rate)}</small>`)}</td>
<td class="figure">${quantity(item.quantity)} ${item.unit}</td>
<td class="figure">${money(item.unitPriceCents)}${item.discount && html`<br><small>− ${item.discount.kind === 'PERCENT' ? rate(String(item.discount.value)) : money(Number(item.discount.value))}</small>`}</td>
<td class="figure">${money(item.subtotalCents)}</td>
</tr>`,
)}
</table></div>`,
)}
<table>
<tr><th>${t.subtotal}</th><td class="figure">${money(budget.subtotal_cents)}</td></tr>
${discounts.map(({ name, kind, value, amountCents }) => html`<tr><td>${name}${kind === 'PERCENT' && html` (${rate(String(value))})`}</td><td class="figure">− ${money(amountCents)}</td></tr>`)}
${taxes.map(tax => html`<tr><td>${t.taxOf(`${tax.name} ${rate(tax.rate)}`, money(tax.baseCents))}</td><td class="figure">${money(tax.amountCents)}</td></tr>`)}
<tr><th>${t.total}</th><td class="figure"><strong>${money(budget.total_cents)}</strong></td></tr>
</table>
${budget.conditions && html`<h2>${t.conditions}</h2>${paragraphs(budget.conditions)}`}
${budget.notes && html`<h2>${t.notes}</h2>${paragraphs(budget.notes)}`}`
}

function paragraphs(text: string): Html {
  return html`${text.split('\n').map(line => html`<p>${line}</p>`)}`
}
