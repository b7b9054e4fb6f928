import * as creditor from './creditor.ts'
import * as mandates from './mandates/mandates.ts'
import { create } from './remittances/create.ts'
import { open } from './remittances/open.ts'
import * as remittances from './remittances/remittances.ts'
import * as results from './results/results.ts'

/** Mandates, remittances and the results of SEPA direct debits. */
export const directDebitOperations = [
  creditor.read,
  creditor.update,
  mandates.list,
  mandates.create,
  mandates.cancel,
  remittances.listInvoices,
  remittances.list,
  remittances.read,
  create,
  open,
  remittances.send,
  remittances.cancel,
  results.preview,
  results.importFile,
  results.record,
]
