import type { Invoice } from './invoice.ts'
import type { InvoiceMovements } from './invoice-reads.ts'

/** The dialogs of an invoice. */
export type InvoiceDialogName =
  | 'issue'
  | 'removeDraft'
  | 'send'
  | 'registerPayment'
  | 'charge'
  | 'correct'
  | 'refund'
  | 'makeLink'
  | 'revokeLink'
  | 'linkBudget'
  | 'unlinkBudget'
  | 'downloadUbl'
  | 'downloadFacturae'

/** The properties of every dialog of an invoice. */
export type InvoiceDialogProps = {
  invoice: Invoice
  movements: InvoiceMovements
  onClose: () => void
}
