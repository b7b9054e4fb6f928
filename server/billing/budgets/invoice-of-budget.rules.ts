import type { NewLines } from '#contract/billing/invoice.ts'
import { limits } from '#contract/limits.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { writing } from '#platform/language.ts'
import { required } from '#platform/required.ts'
import { type BudgetRow, taxGroupsOf } from '#server/crm/index.ts'

const { day, rate } = writing.es

type Content = BudgetRow['content']
type Item = Content['sections'][number]['items'][number]
type BilledBudget = Pick<BudgetRow, 'content' | 'subtotal_cents' | 'discount_cents'>

/**
 * The invoice lines of a budget: they have the same subtotal after discounts, the same base of each tax and the same
 * total (INV-39, INV-40). Items that do not count are left out. A discount in cents becomes a line of its own, because a line
 * has discounts in per cent only. The discounts of the budget become one line for each group of items with the same
 * taxes.
 */
export function linesOfBudget({ content, subtotal_cents, discount_cents }: BilledBudget): NewLines {
  const items = content.sections
    .flatMap(section => section.items)
    .filter(({ optional, selected }) => !optional || selected)
  const description = `Descuento: ${content.discounts.map(discountName).join(', ')}`
  const groups = taxGroupsOf(items, subtotal_cents - discount_cents)
  return [
    ...items.flatMap(linesOfItem),
    ...groups.flatMap(({ taxes, subtotalCents, remainingCents }) =>
      discountLines(description, subtotalCents - remainingCents, taxes),
    ),
  ]
}

/** Refuses PERMISSION_DENIED: the lines of an invoice show what the budget says. */
export function assertMayReadBudgets({ permissions }: Pick<Caller, 'permissions'>): void {
  if (!permissions.has('CRM_VIEW')) fail('PERMISSION_DENIED')
}

/** Whether the list of budgets without an invoice is open to the caller, who may read invoices. */
export function mayReadBudgets({ modules, permissions }: Pick<Caller, 'modules' | 'permissions'>): boolean {
  return modules.has('crm') && permissions.has('CRM_VIEW')
}

/** The notes of the invoice, which name the budget. In Spanish, as the document. */
export function notesOfBudget({ code, signed_at }: Pick<BudgetRow, 'code' | 'signed_at'>): string {
  return `Según el presupuesto ${code}, firmado el ${day(required(signed_at, 'the time of a signature').slice(0, 10))}.`
}

function linesOfItem({ name, description, quantity, unit, unitPriceCents, discount, taxes }: Item): NewLines {
  const title = unit === null ? name : `${name} (${unit})`
  const line = {
    description: shortened(description === null ? title : `${title}\n${description}`),
    quantity,
    unitPriceCents,
    taxes,
  }
  if (discount?.kind === 'PERCENT') return [{ ...line, discountPercent: String(discount.value) }]
  return [line, ...discountLines(`Descuento: ${name}`, Number(discount?.value ?? 0), taxes)]
}

function discountName({ name, kind, value }: Content['discounts'][number]): string {
  return kind === 'PERCENT' ? `${name} (${rate(String(value))})` : name
}

/** The line that takes off an amount; none if there is nothing to take off. */
function discountLines(description: string, cents: number, taxes: Item['taxes']): NewLines {
  return cents === 0 ? [] : [{ description: shortened(description), unitPriceCents: -cents, taxes }]
}

function shortened(text: string): string {
  const characters = [...text]
  return characters.length <= limits.invoiceLineText
    ? text
    : `${characters.slice(0, limits.invoiceLineText - 1).join('')}…`
}
