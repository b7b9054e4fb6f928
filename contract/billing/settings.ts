import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Nullable } from '../shapes.ts'
import { toManage, toView } from './auth.ts'

const Series = Type.String({
  maxLength: limits.invoiceSeries,
  pattern: '^[A-Z]+$',
  description: 'Capital letters: a number is F2026-000001',
})
const Days = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum })

const fields = {
  invoiceSeries: Series,
  rectifyingSeries: Series,
  paymentDays: Days(0, limits.invoicePaymentDays),
  linkDays: Days(1, limits.invoiceLinkDays),
  taxQrUrl: Nullable(
    Type.String({
      maxLength: limits.taxQrUrl,
      pattern: '^https://[^\\s?#]+$',
      description:
        'Where the tax QR of invoices of a Spanish issuer leads, without a query; that of the tax office for trials at ' +
        'first. Null: there is none',
    }),
  ),
  issuesRectifyingAtOnce: Type.Boolean({
    description: 'What a refund rectifies is issued at once; otherwise it waits as a draft',
  }),
}

/** What holds for all invoices of the organization. */
export const BillingSettings = Type.Object(fields)
export type BillingSettings = Static<typeof BillingSettings>

export const readBillingSettings = operation('GET /settings', {
  ...toView,
  summary: 'What holds for all invoices',
  reply: BillingSettings,
})
export const updateBillingSettings = operation('PUT /settings', {
  ...toManage,
  summary: 'Change what holds for all invoices',
  description:
    'For what is issued from now on. Rectifying invoices have a series of their own, and a series that was used for one ' +
    'kind is not used for the other.',
  body: fields,
  reply: BillingSettings,
})
