import type { Budget, NewBudgetDiscount, NewBudgetSection } from '#contract/crm/budgets.ts'
import { type Discount, type ItemRow, isBlank, itemOf, wrongCell } from './item-cells.ts'

export type SectionForm = { key: string; title: string; description: string; rows: readonly ItemRow[] }
export type DiscountRow = { key: string; name: string; discount: Discount | string | null }

/** A budget while a person edits it. */
export type BudgetForm = {
  title: string
  clientId: string
  issueDate: string
  validUntil: string
  currency: string
  sections: readonly SectionForm[]
  discounts: readonly DiscountRow[]
  conditions: string
  notes: string
  internalNotes: string
}
export type FormField = keyof BudgetForm

let lastKey = 0
/** A key for a new row, which no other row in this tab has. */
export function newKey(): string {
  return `row-${++lastKey}`
}

/** An empty row, with the taxes of the row before it. */
export function newRow(before?: ItemRow): ItemRow {
  return {
    key: newKey(),
    name: '',
    description: '',
    quantity: '',
    unit: '',
    price: null,
    discount: null,
    taxes: before && typeof before.taxes !== 'string' ? before.taxes : [],
    optional: false,
    selected: true,
  }
}

/** The form of a stored budget. A budget without items gets a first row to type into. */
export function formOf(budget: Budget): BudgetForm {
  const sections = budget.sections.map(({ title, description, items }) => ({
    key: newKey(),
    title: title ?? '',
    description: description ?? '',
    rows: items.map(item => ({
      key: newKey(),
      name: item.name,
      description: item.description ?? '',
      quantity: item.quantity,
      unit: item.unit ?? '',
      price: item.unitPriceCents,
      discount: item.discount,
      taxes: item.taxes,
      optional: item.optional,
      selected: item.selected,
    })),
  }))
  return {
    title: budget.title,
    clientId: budget.clientId,
    issueDate: budget.issueDate,
    validUntil: budget.validUntil ?? '',
    currency: budget.currency,
    sections:
      sections.length > 0 ? sections : [{ key: newKey(), title: '', description: '', rows: [newRow()] }],
    discounts: budget.discounts.map(({ name, kind, value }) => ({
      key: newKey(),
      name,
      discount: { kind, value },
    })),
    conditions: budget.conditions ?? '',
    notes: budget.notes ?? '',
    internalNotes: budget.internalNotes ?? '',
  }
}

/** The form of a kept draft: its rows get keys of this tab. */
export function withNewKeys(form: BudgetForm): BudgetForm {
  return {
    ...form,
    sections: form.sections.map(section => ({
      ...section,
      key: newKey(),
      rows: section.rows.map(row => ({ ...row, key: newKey() })),
    })),
    discounts: form.discounts.map(discount => ({ ...discount, key: newKey() })),
  }
}

/** The sections that a form sends: without blank rows, and without sections that have neither rows nor a title. */
export function sectionsOf(sections: readonly SectionForm[]): NewBudgetSection[] {
  return filled(sections).map(({ title, description, rows }) => ({
    title: title.trim() || null,
    description: description.trim() || null,
    items: rows.map(itemOf),
  }))
}

/** The keys of the rows that `sectionsOf` sends, in the same order. */
export function keysOf(sections: readonly SectionForm[]): string[][] {
  return filled(sections).map(({ rows }) => rows.map(({ key }) => key))
}

function filled(sections: readonly SectionForm[]): SectionForm[] {
  return sections
    .map(section => ({ ...section, rows: section.rows.filter(row => !isBlank(row)) }))
    .filter(({ title, description, rows }) => rows.length > 0 || title.trim() || description.trim())
}

/** Whether all rows and discounts can be sent. */
export function isReadable({ sections, discounts }: BudgetForm): boolean {
  return (
    sections.every(({ rows }) => rows.every(row => isBlank(row) || wrongCell(row) === undefined)) &&
    discounts.every(
      ({ name, discount }) => name.trim() !== '' && discount !== null && typeof discount !== 'string',
    )
  )
}

/** The body of updateBudget for a readable form. */
export function bodyOf(form: BudgetForm) {
  const { title, clientId, issueDate, validUntil, currency, conditions, notes, internalNotes } = form
  return {
    title: title.trim(),
    clientId,
    issueDate,
    validUntil: validUntil || null,
    currency,
    sections: sectionsOf(form.sections),
    discounts: discountsOf(form.discounts),
    conditions: conditions.trim() || null,
    notes: notes.trim() || null,
    internalNotes: internalNotes.trim() || null,
  }
}

export function discountsOf(discounts: readonly DiscountRow[]): NewBudgetDiscount[] {
  return discounts.map(({ name, discount }) => ({ name: name.trim(), ...(discount as Discount) }))
}

/** The fields that differ between two forms; keys of rows and blank rows do not count. */
export function changedFields(form: BudgetForm, base: BudgetForm): FormField[] {
  return (Object.keys(form) as FormField[]).filter(
    field => comparable(form, field) !== comparable(base, field),
  )
}

function comparable(form: BudgetForm, field: FormField): string {
  if (field === 'sections') return JSON.stringify(filled(form.sections).map(withoutKeys))
  if (field === 'discounts') return JSON.stringify(form.discounts.map(({ key: _key, ...rest }) => rest))
  return form[field].trim()
}

function withoutKeys({ key: _key, rows, ...section }: SectionForm) {
  return {
    ...section,
    rows: rows.map(({ key: _row, quantity, ...row }) => ({ ...row, quantity: quantity || '1' })),
  }
}

/** The form on a newer version of the budget: the fields that the person changed keep their values. */
export function rebased(form: BudgetForm, base: BudgetForm, newer: BudgetForm): BudgetForm {
  const own = changedFields(form, base).map(field => [field, form[field]] as const)
  return { ...newer, ...Object.fromEntries(own) }
}
