import type { NewBudgetSection } from '#contract/crm/budgets.ts'
import { parsedAmount } from '../../parts/amount.ts'
import { decimalsOf, figuresText } from '../../parts/money-text.ts'
import type { Language } from '../../words/words.ts'

type NewItem = NewBudgetSection['items'][number]
export type Tax = NonNullable<NewItem['taxes']>[number]
export type Discount = NonNullable<NewItem['discount']>

/** A row of the editor. A cell that cannot be read keeps its text: a string where another type is expected. */
export type ItemRow = {
  key: string
  name: string
  description: string
  /** A decimal number as the server reads it, `2.5`, or the text that was typed. Empty: 1. */
  quantity: string
  unit: string
  price: number | string | null
  discount: Discount | string | null
  taxes: readonly Tax[] | string
  optional: boolean
  selected: boolean
}

/** The columns of the editor, in the order of a pasted row. */
export const cellColumns = ['name', 'quantity', 'unit', 'price', 'discount', 'taxes'] as const
export type CellColumn = (typeof cellColumns)[number]
/** How a person writes numbers and amounts. */
export type Notation = { language: Language; currency: string }

const decimal = /^-?\d{1,9}(\.\d{1,4})?$/
const decimalSeparators = { es: ',', en: '.' } as const

/** A decimal number of the server in the notation of a language: `2.5` is `2,5` in Spanish. */
export function decimalText(value: string, language: Language): string {
  return value.replace('.', decimalSeparators[language])
}

/**
 * The decimal number that a person typed, as the server reads it; undefined if the text is none. The separator of the
 * language is the decimal one; the other one groups thousands where it can, else it is the decimal one, too.
 */
export function parsedDecimal(text: string, language: Language): string | undefined {
  const typed = text.replace(/[\s\u00a0]/g, '').replace('−', '-')
  const point = decimalSeparators[language]
  const other = point === ',' ? '.' : ','
  const isGrouped = new RegExp(`^-?\\d{1,3}(\\${other}\\d{3})+(\\${point}\\d+)?$`).test(typed)
  const plain = isGrouped ? typed.replaceAll(other, '') : typed
  const number = plain.replace(/[.,]/, '.')
  if (!decimal.test(number)) return undefined
  return number
    .replace(/^(-?)0+(?=\d)/, '$1')
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
}

/** The text of a cell as the person reads it. */
export function cellText(row: ItemRow, column: CellColumn, { language, currency }: Notation): string {
  if (column === 'name' || column === 'unit') return row[column]
  if (column === 'quantity')
    return decimal.test(row.quantity) ? decimalText(row.quantity, language) : row.quantity
  const value = row[column]
  if (value === null) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number') return figuresText(value, currency, language)
  if ('kind' in value) return discountText(value, { language, currency })
  return value.map(({ name, rate }) => `${name} ${decimalText(rate, language)}`).join(' + ')
}

/** A discount as a person writes it: `10 %` or an amount. */
export function discountText(discount: Discount | string | null, { language, currency }: Notation): string {
  if (discount === null) return ''
  if (typeof discount === 'string') return discount
  return discount.kind === 'PERCENT'
    ? `${decimalText(String(discount.value), language)} %`
    : figuresText(Number(discount.value), currency, language)
}

/** The row with another text in a cell. */
export function withCell(row: ItemRow, column: CellColumn, text: string, notation: Notation): ItemRow {
  if (column === 'name' || column === 'unit') return { ...row, [column]: text }
  const typed = text.trim()
  if (column === 'quantity') return { ...row, quantity: parsedDecimal(typed, notation.language) ?? typed }
  if (column === 'price') return { ...row, price: typed === '' ? null : (amountOf(typed, notation) ?? typed) }
  if (column === 'discount') return { ...row, discount: parsedDiscount(typed, notation) }
  return { ...row, taxes: typed === '' ? [] : (taxesOf(typed, notation) ?? typed) }
}

/** The discount that a person typed: with `%` a percentage, else an amount; the text if it is neither. */
export function parsedDiscount(text: string, notation: Notation): Discount | string | null {
  const typed = text.trim()
  if (typed === '') return null
  if (typed.endsWith('%')) {
    const value = parsedDecimal(typed.slice(0, -1), notation.language)
    return value !== undefined && Number(value) >= 0 && Number(value) <= 100
      ? { kind: 'PERCENT', value }
      : typed
  }
  const value = amountOf(typed, notation)
  return value === undefined ? typed : { kind: 'AMOUNT', value }
}

function amountOf(text: string, { currency }: Notation): number | undefined {
  const cents = parsedAmount(text, decimalsOf(currency))
  return cents !== undefined && cents >= 0 ? cents : undefined
}

/** `IVA 21 + IRPF -15`; a rate without a name is IVA. */
function taxesOf(text: string, { language }: Notation): Tax[] | undefined {
  const taxes = text.split(/[+;]/).map(part => {
    const [, name = '', number = ''] = /^(.*?)\s*([-−]?[\d.,]+)\s*%?$/.exec(part.trim()) ?? []
    const rate = parsedDecimal(number, language)
    if (rate === undefined || Math.abs(Number(rate)) > 100) return undefined
    return { name: name || 'IVA', rate }
  })
  return taxes.every(tax => tax !== undefined) ? taxes : undefined
}

/** The cell that keeps a row from being sent, if any. */
export function wrongCell(row: ItemRow): CellColumn | undefined {
  if (row.name.trim() === '') return 'name'
  if (row.quantity !== '' && !(decimal.test(row.quantity) && !row.quantity.startsWith('-'))) return 'quantity'
  if (typeof row.price !== 'number') return 'price'
  if (typeof row.discount === 'string') return 'discount'
  if (typeof row.taxes === 'string') return 'taxes'
  return undefined
}

/** Whether nothing was typed into a row; such a row is not sent. */
export function isBlank({ name, description, quantity, unit, price }: ItemRow): boolean {
  return name.trim() === '' && description.trim() === '' && quantity === '' && unit === '' && price === null
}

/** The item that a row without a wrong cell sends. */
export function itemOf(row: ItemRow): NewItem {
  const { name, description, quantity, unit, price, discount, taxes, optional, selected } = row
  return {
    name: name.trim(),
    description: description.trim() || null,
    quantity: quantity || '1',
    unit: unit.trim() || null,
    unitPriceCents: price as number,
    optional,
    selected,
    discount: discount as Discount | null,
    taxes: [...(taxes as readonly Tax[])],
  }
}
