import type { Static } from 'typebox'
import { Client } from '../crm/clients.ts'
import { Country } from '../crm/shapes.ts'
import { limits } from '../limits.ts'
import { Cents, Email, Id, Name, Nullable, OneOf, Text, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { InvoiceSummary, invoiceStatuses } from './shapes.ts'

const Decimal = (digits: number, places: number, description: string) =>
  Type.String({
    maxLength: digits + places + 2,
    pattern: `^-?\\d{1,${digits}}(?:\\.\\d{1,${places}})?$`,
    description: `${description}, a decimal number as text`,
  })

const Tax = {
  name: Name(limits.taxName),
  rate: Decimal(3, 4, 'Per cent; negative for a withheld tax'),
}
const lineFields = {
  description: Text(limits.invoiceLineText, 1),
  unitPriceCents: Type.Integer({ minimum: -limits.invoiceCents, maximum: limits.invoiceCents }),
}
export const NewLine = Type.Object(
  {
    ...lineFields,
    quantity: Type.Optional(Decimal(9, 4, 'How much')),
    discountPercent: Type.Optional(Nullable(Decimal(3, 4, 'Discount in per cent'))),
    taxes: Type.Optional(
      Type.Array(Type.Object(Tax, { additionalProperties: false }), { maxItems: limits.invoiceTaxes }),
    ),
  },
  { additionalProperties: false },
)
/** Lines of a new invoice; the amounts are computed. */
export const NewLines = Type.Array(NewLine, { maxItems: limits.invoiceLines })
export type NewLines = Static<typeof NewLines>

export const InvoiceLine = Type.Object({
  ...lineFields,
  quantity: Type.String(),
  discountPercent: Nullable(Type.String()),
  taxes: Type.Array(Type.Object(Tax)),
  subtotalCents: Cents,
})
export const InvoiceTax = Type.Object({
  ...Tax,
  baseCents: Type.Integer({ description: 'The sum of all lines with this tax' }),
  amountCents: Cents,
})
const { name, taxId, address, city, postalCode, country, email } = Client.properties
/** A party at the time when the invoice was issued. */
export const Party = Type.Object({ name, taxId, address, city, postalCode, country, email })

/** The computed amounts of lines. */
export const InvoiceFigures = Type.Object({
  lines: Type.Array(InvoiceLine),
  taxes: Type.Array(InvoiceTax),
  subtotalCents: Cents,
  taxCents: Cents,
  totalCents: Cents,
})
export type InvoiceFigures = Static<typeof InvoiceFigures>

/** A payment. With `reversedAt` it was registered by mistake and does not count. */
export const Payment = Type.Object({
  id: Id,
  method: Type.String(),
  amountCents: Cents,
  refundedCents: Cents,
  paidAt: Time,
  reference: Nullable(Type.String()),
  paymentIntentId: Nullable(Type.String()),
  createdAt: Time,
  reversedAt: Nullable(Time),
})
export const Invoice = Type.Object({
  ...InvoiceSummary.properties,
  applicationId: Nullable(Id),
  isRectifying: Type.Boolean(),
  rectifyingReason: Nullable(Type.String()),
  rectifiedBy: Type.Array(
    Type.Object({
      id: Id,
      number: Nullable(Type.String()),
      status: OneOf(invoiceStatuses),
      totalCents: Cents,
    }),
    { description: 'The invoices that rectify this one, oldest first' },
  ),
  overpaidCents: Cents,
  lines: Type.Array(InvoiceLine),
  taxes: Type.Array(InvoiceTax),
  issuer: Nullable(Party),
  recipient: Nullable(Party),
  notes: Nullable(Type.String()),
  internalNotes: Type.Optional(
    Nullable(Type.String({ description: 'Visible to members only, not to the client or to applications' })),
  ),
  budget: Type.Optional(
    Nullable(
      Type.Object(
        { id: Id, code: Type.String() },
        { description: 'The signed budget that it bills; members only' },
      ),
    ),
  ),
  payments: Type.Array(Payment),
  issuedAt: Nullable(Time),
  voidedAt: Nullable(Time),
})
export type Invoice = Static<typeof Invoice>

/** The user to bill, as the application describes them. */
export const BilledUser = Type.Object(
  {
    name: Name(limits.clientName),
    company: Type.Optional(Name(limits.clientName)),
    email: Type.Optional(Nullable(Email)),
    taxId: Type.Optional(Nullable(Name(limits.clientTaxId))),
    address: Type.Optional(Nullable(Name(limits.clientAddress))),
    city: Type.Optional(Nullable(Name(limits.clientCity))),
    postalCode: Type.Optional(Nullable(Name(limits.clientPostalCode))),
    country: Type.Optional(Nullable(Country)),
  },
  { additionalProperties: false },
)
