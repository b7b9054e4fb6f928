import {
  listCollectableInvoices,
  listMandates,
  listRemittances,
  readRemittance,
} from '#contract/billing/direct-debits.ts'
import { listInvoices, readInvoice } from '#contract/billing/invoices.ts'
import { listAllCharges, listAllPayments } from '#contract/billing/movements.ts'

/** The reads that a remittance or a result makes stale. */
export const refreshes = [
  listRemittances,
  readRemittance,
  listCollectableInvoices,
  listMandates,
  listInvoices,
  readInvoice,
  listAllCharges,
  listAllPayments,
]
