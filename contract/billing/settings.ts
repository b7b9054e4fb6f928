import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Nullable } from '../shapes.ts'
import { Type } from '../type.ts'
import { toManage, toView } from './auth.ts'

const Series = Type.String({
  maxLength: limits.invoiceSeries,
  pattern: '^[A-Z]+$',
  description: 'Capital letters, the beginning of a number such as F2026-000001',
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
        'The address in the tax QR code of a Spanish issuer’s invoices, without a query; initially the tax ' +
        'office’s test address. Null: no QR code',
    }),
  ),
  issuesRectifyingAtOnce: Type.Boolean({
    description: 'Issue the rectifying invoice of a refund at once instead of leaving it as a draft',
  }),
}

/** The billing settings of an organization. */
export const BillingSettings = Type.Object(fields)
export type BillingSettings = Static<typeof BillingSettings>

export const readBillingSettings = operation('GET /settings', {
  ...toView,
  summary: 'Get the billing settings',
  reply: BillingSettings,
})
export const updateBillingSettings = operation('PUT /settings', {
  ...toManage,
  summary: 'Update the billing settings',
  description:
    'Applies to invoices that are issued from now on. Rectifying invoices have a series of their own, and a ' +
    'series that was used for one kind cannot be used for the other.',
  body: fields,
  reply: BillingSettings,
})
