import { late } from '../../parts/late.tsx'
import type { InvoiceDialogName, InvoiceDialogProps } from './invoice-dialog.ts'

const IssueDialog = late(() => import('./issue-dialog.tsx').then(dialog => dialog.IssueDialog))
const RemoveDraftDialog = late(() => import('./issue-dialog.tsx').then(dialog => dialog.RemoveDraftDialog))
const SendDialog = late(() => import('./send-dialog.tsx').then(dialog => dialog.SendDialog))
const PaymentDialog = late(() => import('./payment-dialog.tsx').then(dialog => dialog.PaymentDialog))
const ChargeDialog = late(() => import('./charge-dialog.tsx').then(dialog => dialog.ChargeDialog))
const CorrectionDialog = late(() => import('./correction-dialog.tsx').then(dialog => dialog.CorrectionDialog))
const RefundDialog = late(() => import('./refund-dialog.tsx').then(dialog => dialog.RefundDialog))
const MakeLinkDialog = late(() => import('./link-dialogs.tsx').then(dialog => dialog.MakeLinkDialog))
const RevokeLinkDialog = late(() => import('./link-dialogs.tsx').then(dialog => dialog.RevokeLinkDialog))
const LinkBudgetDialog = late(() => import('./budget-dialogs.tsx').then(dialog => dialog.LinkBudgetDialog))
const UnlinkBudgetDialog = late(() =>
  import('./budget-dialogs.tsx').then(dialog => dialog.UnlinkBudgetDialog),
)
const UblDialog = late(() => import('./e-invoice-dialog.tsx').then(dialog => dialog.UblDialog))
const FacturaeDialog = late(() => import('./e-invoice-dialog.tsx').then(dialog => dialog.FacturaeDialog))

const dialogs = {
  issue: IssueDialog,
  removeDraft: RemoveDraftDialog,
  send: SendDialog,
  registerPayment: PaymentDialog,
  charge: ChargeDialog,
  makeLink: MakeLinkDialog,
  revokeLink: RevokeLinkDialog,
  linkBudget: LinkBudgetDialog,
  unlinkBudget: UnlinkBudgetDialog,
  refund: RefundDialog,
  downloadUbl: UblDialog,
  downloadFacturae: FacturaeDialog,
} as const

/** The dialog that is open, if any. The question what went wrong leads to the dialog of a refund. */
export function InvoiceDialogs({
  open,
  onAsk,
  ...props
}: InvoiceDialogProps & {
  open: InvoiceDialogName | undefined
  onAsk: (dialog: InvoiceDialogName) => void
}) {
  if (open === undefined) return null
  if (open === 'correct') return <CorrectionDialog {...props} onRefund={() => onAsk('refund')} />
  const Dialog = dialogs[open]
  return <Dialog {...props} />
}
