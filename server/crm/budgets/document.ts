import type { BudgetContent } from '#contract/crm/budgets.ts'
import type { Issuer } from '#contract/crm/issuer.ts'
import type { Letterhead } from '#contract/crm/letterhead.ts'
import { makePdf, type PdfBlock, type PdfCell, type PdfColumn, type PdfFact } from '#platform/adapters/pdf.ts'
import { writing } from '#platform/language.ts'
import type { ClientRow } from '../clients/client.row.ts'
import { taxFacts } from '../tax-facts.ts'
import type { BudgetRow } from './budget.row.ts'

const { country, day, moneyIn, quantity, rate } = writing.es
type Section = BudgetContent['sections'][number]
type Item = Section['items'][number]
type Money = (cents: number) => string
type PrintedBudget = Omit<
  BudgetRow,
  'status' | 'is_expired' | 'created_at' | 'updated_at' | 'sent_at' | 'signed_at' | 'declined_at'
>

/**
 * Renders a budget as PDF, in Spanish. The bytes depend only on the visible content, not on the status or the time of the
 * last change.
 *
 * @param issuer undefined if the organization has not set its issuer details
 */
export function budgetPdf(
  budget: PrintedBudget,
  issuer: Issuer | undefined,
  client: Pick<ClientRow, 'name' | 'tax_id' | 'address' | 'postal_code' | 'city' | 'country' | 'email'>,
  { accentColor, footer }: Letterhead,
  logo?: Buffer,
): Promise<Buffer> {
  const { code, title, content } = budget
  const money = moneyIn(budget.currency)
  // all sections have the same columns
  const hasDiscounts = content.sections.some(({ items }) => items.some(({ discount }) => discount !== null))
  return makePdf({
    title: `Presupuesto ${code}`,
    author: issuer?.legalName ?? '',
    language: 'es',
    ...(accentColor !== null && { accentColor }),
    ...(footer !== null && { footer }),
    at: `${budget.issue_date}T00:00:00.000Z`,
    foot: `Presupuesto ${code} · ${title}`,
    blocks: [
      {
        kind: 'head',
        sender: issuer?.legalName ?? '',
        ...(logo && { logo }),
        title: 'Presupuesto',
        number: code,
        facts: [
          ['Fecha', day(budget.issue_date)],
          ...(budget.valid_until === null ? [] : [['Válido hasta', day(budget.valid_until)] as const]),
        ],
      },
      { kind: 'beside', columns: [...(issuer ? [issuerLines(issuer)] : []), clientLines(client)] },
      { kind: 'subject', text: title },
      ...content.sections.flatMap(section => sectionBlocks(section, hasDiscounts, money)),
      { kind: 'totals', rows: totals(budget, money) },
      ...remarkBlocks('Condiciones', budget.conditions),
      ...remarkBlocks('Notas', budget.notes),
    ],
  })
}

function issuerLines(issuer: Issuer): string[] {
  const { legalName, taxId, address, postalCode, city, email, phone } = issuer
  const where = [address, cityLine(postalCode, city), country(issuer.country)]
  return nonEmpty(['Emisor', legalName, `NIF: ${taxId}`, ...where, email, phone])
}

function clientLines(client: Parameters<typeof budgetPdf>[2]): string[] {
  const { name, tax_id, address, postal_code, city, email } = client
  const where = [address, cityLine(postal_code, city), client.country && country(client.country)]
  return nonEmpty(['Cliente', name, tax_id && `NIF: ${tax_id}`, ...where, email])
}

const cityLine = (postalCode: string | null, city: string | null) => nonEmpty([postalCode, city]).join(' ')
const nonEmpty = (texts: readonly (string | null)[]) =>
  texts.filter(text => text !== null && text !== '') as string[]

function sectionBlocks(section: Section, hasDiscounts: boolean, money: Money): PdfBlock[] {
  const { title, description, items } = section
  const columns: PdfColumn[] = [
    { title: 'Concepto' },
    { title: 'Cantidad', isFigure: true },
    { title: 'Precio', isFigure: true },
    ...(hasDiscounts ? [{ title: 'Dto.', isFigure: true }] : []),
    { title: 'Impuestos', isFigure: true },
    { title: 'Importe', isFigure: true },
  ]
  const row = (item: Item): PdfCell[] => [
    { text: item.name, note: nonEmpty([item.description, optionText(item)]).join('\n') },
    nonEmpty([quantity(item.quantity), item.unit]).join(' '),
    money(item.unitPriceCents),
    ...(hasDiscounts ? [item.discount ? discountText(item.discount, money) : ''] : []),
    item.taxes.map(taxText).join('\n'),
    money(item.subtotalCents),
  ]
  return [
    ...(title === null ? [] : [{ kind: 'heading', text: title } as const]),
    ...(description === null ? [] : [{ kind: 'note', text: description } as const]),
    ...(items.length === 0 ? [] : [{ kind: 'table', columns, rows: items.map(row) } as const]),
  ]
}

function optionText({ optional, selected }: Item): string | null {
  if (!optional) return null
  return selected ? 'Opcional, incluido en el total' : 'Opcional, no incluido en el total'
}

const taxText = (tax: { name: string; rate: string }) => `${tax.name} ${rate(tax.rate)}`

function discountText({ kind, value }: { kind: string; value: string | number }, money: Money): string {
  return kind === 'PERCENT' ? rate(String(value)) : money(Number(value))
}

function totals(budget: PrintedBudget, money: Money): PdfFact[] {
  const { content, subtotal_cents, discount_cents } = budget
  return [
    ['Subtotal', money(subtotal_cents)],
    ...content.discounts.map(
      (discount): PdfFact => [
        discount.kind === 'PERCENT' ? `${discount.name} (${rate(String(discount.value))})` : discount.name,
        money(-discount.amountCents),
      ],
    ),
    ...(discount_cents === 0 ? [] : [['Base', money(subtotal_cents - discount_cents)] as [string, string]]),
    ...taxFacts(content.taxes, money),
    ['Total', money(budget.total_cents)],
  ]
}

function remarkBlocks(title: string, text: string | null): PdfBlock[] {
  return text === null
    ? []
    : [
        { kind: 'heading', text: title },
        { kind: 'text', text },
      ]
}
