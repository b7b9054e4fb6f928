import type { listInvoices, readInvoice } from '#contract/billing/invoices.ts'
import type { Reply } from '#contract/route.ts'

/** An invoice as the list shows it. */
export type ListedInvoice = Reply<typeof listInvoices>['data'][number]
/** An invoice in full. */
export type Invoice = Reply<typeof readInvoice>
