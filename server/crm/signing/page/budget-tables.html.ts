import { type Html, html } from '#platform/http/html-page.ts'
import { type Language, writing } from '#platform/language.ts'
import type { BudgetRow } from '../../budgets/budget.row.ts'
import { texts } from './signing-page.texts.ts'

/** Shows everything in a budget that the fingerprint covers. */
export function budgetTables(language: Language, budget: BudgetRow): Html {
  const t = texts[language]
  const { day, moneyIn, rate } = writing[language]
  const money = moneyIn(budget.currency)
  const { sections, discounts, taxes } = budget.content
  return html`<p class="quiet-text">${t.issued}: ${day(budget.issue_date)}${budget.valid_until && html`<br>${t.validUntil}: ${day(budget.valid_until)}`}</p>
${sections.map(
  section => html`${section.title && html`<h2>${section.title}</h2>`}
${section.description && html`<p>${section.description}</p>`}
<table>
<thead><tr><th>${t.item}</th><th class="figure">${t.amount}</th></tr></thead>
${section.items.map(item => itemRow(language, item, money))}
</table>`,
)}
<table>
<tr><td>${t.subtotal}</td><td class="figure">${money(budget.subtotal_cents)}</td></tr>
${discounts.map(({ name, kind, value, amountCents }) => html`<tr><td>${name}${kind === 'PERCENT' && html` (${rate(String(value))})`}</td><td class="figure">− ${money(amountCents)}</td></tr>`)}
${taxes.map(tax => html`<tr><td>${t.taxOf(`${tax.name} ${rate(tax.rate)}`, money(tax.baseCents))}</td><td class="figure">${money(tax.amountCents)}</td></tr>`)}
<tr class="sum"><td>${t.total}</td><td class="figure">${money(budget.total_cents)}</td></tr>
</table>
${budget.conditions && html`<h2>${t.conditions}</h2>${paragraphs(budget.conditions)}`}
${budget.notes && html`<h2>${t.notes}</h2>${paragraphs(budget.notes)}`}`
}

type Item = BudgetRow['content']['sections'][number]['items'][number]

/** An item in two columns, which fit a phone: quantity, price, discount and taxes are below the name. */
function itemRow(language: Language, item: Item, money: (cents: number) => string): Html {
  const t = texts[language]
  const { quantity, rate } = writing[language]
  const { discount } = item
  const less =
    discount && (discount.kind === 'PERCENT' ? rate(String(discount.value)) : money(Number(discount.value)))
  return html`<tr>
<td>${item.name}${item.optional && html` (${item.selected ? t.chosen : t.notChosen})`}
${item.description && html`<br><small>${item.description}</small>`}
<br><small>${quantity(item.quantity)} ${item.unit} × ${money(item.unitPriceCents)}${less && html` − ${less}`}</small>
${item.taxes.map(tax => html`<br><small>${tax.name} ${rate(tax.rate)}</small>`)}</td>
<td class="figure">${money(item.subtotalCents)}</td>
</tr>`
}

function paragraphs(text: string): Html {
  return html`${text.split('\n').map(line => html`<p>${line}</p>`)}`
}
