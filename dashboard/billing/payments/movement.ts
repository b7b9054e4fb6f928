import type { listAllCharges, listAllPayments, listAllRefunds } from '#contract/billing/movements.ts'
import type { Reply } from '#contract/route.ts'

/** A payment in the list over all invoices. */
export type Payment = Reply<typeof listAllPayments>['data'][number]
/** A charge in the list over all invoices. */
export type Charge = Reply<typeof listAllCharges>['data'][number]
/** A refund in the list over all invoices. */
export type Refund = Reply<typeof listAllRefunds>['data'][number]

/** The common fields of payments, charges and refunds. */
export type Movement = {
  id: string
  amountCents: number
  currency: string
  invoiceId: string
  invoiceNumber: string | null
  clientId: string
  clientName: string
}
