import type { PdfFact } from '#platform/adapters/pdf.ts'
import { writing } from '#platform/language.ts'

type Tax = { name: string; rate: string; baseCents: number; amountCents: number }

const { rate } = writing.es

/** The lines of the taxes in the totals of a document: each tax by falling rate, then what is withheld. */
export function taxFacts(taxes: readonly Tax[], money: (cents: number) => string): PdfFact[] {
  const isWithheld = (tax: Tax) => Number(tax.rate.startsWith('-'))
  const inOrder = taxes.toSorted(
    (a, b) =>
      isWithheld(a) - isWithheld(b) || a.name.localeCompare(b.name, 'es') || Number(b.rate) - Number(a.rate),
  )
  return inOrder.map(tax => [
    `${tax.name} ${rate(tax.rate)} de ${money(tax.baseCents)}`,
    money(tax.amountCents),
  ])
}
