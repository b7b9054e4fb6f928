import type { createInvoice } from '#contract/billing/invoices.ts'
import type { Input } from '#contract/route.ts'
import type { Language } from '../../words/words.ts'
import type { Invoice } from './invoice.ts'

export type NewLine = NonNullable<Input<typeof createInvoice>['body']['lines']>[number]

/** A line as a person types it. */
export type TypedLine = {
  key: string
  description: string
  quantity: string
  unitPriceCents: number | null
  discount: string
  taxes: string
}

type StoredLine = Pick<Invoice['lines'][number], 'description' | 'unitPriceCents'> &
  Partial<Pick<NewLine, 'quantity' | 'discountPercent' | 'taxes'>>

/** A line of the server as fields. */
export function typedLineOf(line: StoredLine, key: string, language: Language): TypedLine {
  return {
    key,
    description: line.description,
    quantity: decimalText(line.quantity ?? '1', language),
    unitPriceCents: line.unitPriceCents,
    discount: line.discountPercent ? decimalText(line.discountPercent, language) : '',
    taxes: (line.taxes ?? []).map(({ name, rate }) => `${name} ${decimalText(rate, language)}`).join('; '),
  }
}

/** A line as the server takes it. Text that cannot be read is left out; `isValidLine` says whether that is the case. */
export function newLineOf({ description, quantity, unitPriceCents, discount, taxes }: TypedLine): NewLine {
  return {
    description: description.trim(),
    quantity: parsedDecimal(quantity) ?? '1',
    unitPriceCents: unitPriceCents ?? 0,
    discountPercent: discount.trim() === '' ? null : (parsedDecimal(discount) ?? null),
    taxes: parsedTaxes(taxes) ?? [],
  }
}

/** Whether every field of a line can be sent. */
export function isValidLine({ description, quantity, unitPriceCents, discount, taxes }: TypedLine): boolean {
  return (
    description.trim() !== '' &&
    parsedDecimal(quantity) !== undefined &&
    unitPriceCents !== null &&
    (discount.trim() === '' || parsedDecimal(discount) !== undefined) &&
    parsedTaxes(taxes) !== undefined
  )
}

/** “2,5” or “2.5” as the decimal number of the contract; undefined for anything else. */
export function parsedDecimal(text: string): string | undefined {
  const typed = text.trim().replace('−', '-').replace(',', '.')
  return /^-?\d{1,9}(\.\d{1,4})?$/.test(typed) ? typed : undefined
}

/** “IVA 21; IRPF -15” as taxes with a name and a rate; undefined if a part is not a name and a number. */
export function parsedTaxes(text: string): { name: string; rate: string }[] | undefined {
  const parts = text
    .split(';')
    .map(part => part.trim())
    .filter(part => part !== '')
  const taxes = parts.map(part => {
    const [, name, digits = ''] = /^(\S.*?)\s+([-−]?[\d.,]+)\s*%?$/.exec(part) ?? []
    const rate = parsedDecimal(digits)
    return name !== undefined && rate !== undefined && rate.replace(/\D.*$/, '').length <= 3
      ? { name, rate }
      : undefined
  })
  return taxes.every(tax => tax !== undefined) ? taxes : undefined
}

/** A decimal number of the contract with the separator of the language. */
export function decimalText(decimal: string, language: Language): string {
  return language === 'es' ? decimal.replace('.', ',') : decimal
}
