import type { BudgetContent } from '#contract/crm/budgets.ts'
import type { Issuer } from '#contract/crm/issuer.ts'
import { makePdf, type PdfBlock, type PdfCell, type PdfColumn } from '#platform/adapters/pdf.ts'
import { writing } from '#platform/language.ts'
import type { ClientRow } from '../clients/client.row.ts'
import type { BudgetRow } from './budget.row.ts'

const { country, day, moneyIn, quantity, rate } = writing.es
type Section = BudgetContent['sections'][number]
type Item = Section['items'][number]
type Money = (cents: number) => string
type Printed = Omit<
  BudgetRow,
  'status' | 'is_expired' | 'created_at' | 'updated_at' | 'sent_at' | 'signed_at' | 'declined_at'
>

/**
 * A budget on paper, in Spanish, as its client gets it. The bytes depend on what it shows and on nothing else: not on its
 * status or when it was last changed.
 *
 * @param issuer undefined when the organization has not said who it is on paper
 */
export function budgetPdf(
  budget: Printed,
  issuer: Issuer | undefined,
  client: Pick<ClientRow, 'name' | 'tax_id' | 'address' | 'postal_code' | 'city' | 'country' | 'email'>,
): Promise<Buffer> {
  const { code, title, content } = budget
  const money = moneyIn(budget.currency)
  // the same columns in all sections
  const hasDiscounts = content.sections.some(({ items }) => items.some(({ discount }) => discount !== null))
  const until = budget.valid_until === null ? '' : ` · Válido hasta el ${day(budget.valid_until)}`
  return makePdf({
    title: `Presupuesto ${code}`,
    author: issuer?.legalName ?? '',
    language: 'es',
    at: `${budget.issue_date}T00:00:00.000Z`,
    foot: `${code} · ${title}`,
    blocks: [
      { kind: 'title', text: `Presupuesto ${code}` },
      { kind: 'text', text: title },
      { kind: 'note', text: `Fecha: ${day(budget.issue_date)}${until}` },
      { kind: 'beside', columns: [...(issuer ? [issuerLines(issuer)] : []), clientLines(client)] },
      ...content.sections.flatMap(section => sectionBlocks(section, hasDiscounts, money)),
      { kind: 'totals', rows: totals(budget, money) },
      ...remark('Condiciones', budget.conditions),
      ...remark('Notas', budget.notes),
    ],
  })
}

function issuerLines(issuer: Issuer): string[] {
  const { legalName, taxId, address, postalCode, city, email, phone } = issuer
  const where = [address, place(postalCode, city), country(issuer.country)]
  return told(['Emisor', legalName, `NIF: ${taxId}`, ...where, email, phone])
}

function clientLines(client: Parameters<typeof budgetPdf>[2]): string[] {
  const { name, tax_id, address, postal_code, city, email } = client
  const where = [address, place(postal_code, city), client.country && country(client.country)]
  return told(['Cliente', name, tax_id && `NIF: ${tax_id}`, ...where, email])
}

const place = (postalCode: string | null, city: string | null) => told([postalCode, city]).join(' ')
const told = (texts: readonly (string | null)[]) =>
  texts.filter(text => text !== null && text !== '') as string[]

function sectionBlocks(section: Section, hasDiscounts: boolean, money: Money): PdfBlock[] {
  const { title, description, items } = section
  const columns: PdfColumn[] = [
    { title: 'Concepto', share: 7 },
    { title: 'Cantidad', share: 2.2, isFigure: true },
    { title: 'Precio', share: 2.6, isFigure: true },
    ...(hasDiscounts ? [{ title: 'Dto.', share: 2, isFigure: true }] : []),
    { title: 'Impuestos', share: 2.6, isFigure: true },
    { title: 'Importe', share: 2.6, isFigure: true },
  ]
  const row = (item: Item): PdfCell[] => [
    { text: item.name, note: told([item.description, optionOf(item)]).join('\n') },
    told([quantity(item.quantity), item.unit]).join(' '),
    money(item.unitPriceCents),
    ...(hasDiscounts ? [item.discount ? discounted(item.discount, money) : ''] : []),
    item.taxes.map(taxed).join('\n'),
    money(item.subtotalCents),
  ]
  return [
    ...(title === null ? [] : [{ kind: 'heading', text: title } as const]),
    ...(description === null ? [] : [{ kind: 'note', text: description } as const]),
    ...(items.length === 0 ? [] : [{ kind: 'table', columns, rows: items.map(row) } as const]),
  ]
}

function optionOf({ optional, selected }: Item): string | null {
  if (!optional) return null
  return selected ? 'Opcional, incluido en el total' : 'Opcional, no incluido en el total'
}

const taxed = (tax: { name: string; rate: string }) => `${tax.name} ${rate(tax.rate)}`

function discounted({ kind, value }: { kind: string; value: string | number }, money: Money): string {
  return kind === 'PERCENT' ? rate(String(value)) : money(Number(value))
}

function totals(budget: Printed, money: Money): [name: string, figure: string][] {
  const { content, subtotal_cents, discount_cents } = budget
  return [
    ['Subtotal', money(subtotal_cents)],
    ...content.discounts.map((discount): [string, string] => [
      discount.kind === 'PERCENT' ? `${discount.name} (${rate(String(discount.value))})` : discount.name,
      money(-discount.amountCents),
    ]),
    ...(discount_cents === 0 ? [] : [['Base', money(subtotal_cents - discount_cents)] as [string, string]]),
    ...content.taxes.map((tax): [string, string] => [
      `${taxed(tax)} de ${money(tax.baseCents)}`,
      money(tax.amountCents),
    ]),
    ['Total', money(budget.total_cents)],
  ]
}

function remark(title: string, text: string | null): PdfBlock[] {
  return text === null
    ? []
    : [
        { kind: 'heading', text: title },
        { kind: 'text', text },
      ]
}
