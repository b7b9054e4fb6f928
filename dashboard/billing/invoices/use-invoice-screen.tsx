import { useState } from 'react'
import {
  makeInvoicePdfAddress,
  readEInvoice,
  readInvoicePdf,
  rectifyInvoice,
  removeInvoice,
  voidInvoice,
} from '#contract/billing/invoices.ts'
import { refundInvoiceByHand } from '#contract/billing/refunds.ts'
import { sendInvoiceByHand } from '#contract/billing/sending.ts'
import { useCommands } from '../../data/commands.ts'
import { useMay } from '../../data/organization.tsx'
import { useAction } from '../../data/read.ts'
import { useDownload } from '../../data/use-download.ts'
import type { MenuEntry } from '../../parts/menu.tsx'
import { useWords } from '../../words/words.ts'
import type { Invoice } from './invoice.ts'
import { invoiceTexts } from './invoice.words.ts'
import type { InvoiceDialogName } from './invoice-dialog.ts'
import { useAuthorization, useMovements } from './invoice-reads.ts'

/** The parts that the page and the sheet of an invoice share: its reads, its open dialog, the actions of its head. */
export function useInvoiceScreen(invoice: Invoice) {
  const [dialog, setDialog] = useState<InvoiceDialogName>()
  const [isUnsaved, setUnsaved] = useState(false)
  const authorization = useAuthorization(invoice)
  const { movements, isComplete, error } = useMovements(invoice)
  const actions = useHeadActions(invoice, setDialog)
  useCommands(
    actions.flatMap(({ id, label, icon, onAction }) =>
      onAction && icon ? [{ id: `invoice-${id}`, label, icon, action: onAction }] : [],
    ),
  )
  return {
    actions,
    dialog: { open: dialog, invoice, movements, onAsk: setDialog, onClose: () => setDialog(undefined) },
    body: {
      invoice,
      movements,
      isComplete,
      hasFailed: error !== null,
      authorization,
      isUnsaved,
      onUnsaved: setUnsaved,
      onAsk: setDialog,
    },
  }
}

/** The actions besides the next step, as the person may use them and the state allows them. */
function useHeadActions(invoice: Invoice, ask: (dialog: InvoiceDialogName) => void): MenuEntry[] {
  const text = useWords(invoiceTexts)
  const may = useMay()
  const { id, status, number, sentAt } = invoice
  const address = useAction(makeInvoicePdfAddress, { refreshes: [] })
  const download = useDownload(readInvoicePdf, `${number ?? text.draft}.pdf`)
  const isDraft = status === 'DRAFT'
  const isIssued = !isDraft && status !== 'VOIDED'
  const canSend = isIssued && sentAt !== null
  const mayCorrect = may(voidInvoice) || may(rectifyInvoice) || may(refundInvoiceByHand)
  const all: (MenuEntry & { isAllowed: boolean })[] = [
    {
      isAllowed: may(makeInvoicePdfAddress),
      id: 'pdf',
      label: text.openPdf,
      icon: 'file',
      onAction: () =>
        address.mutate(
          { params: { id } },
          { onSuccess: ({ path }) => void window.open(path, '_blank', 'noopener'), toastsFailure: true },
        ),
    },
    {
      isAllowed: may(readInvoicePdf),
      id: 'download',
      label: text.downloadPdf,
      icon: 'download',
      onAction: () => download.mutate({ params: { id }, query: {} }, { toastsFailure: true }),
    },
    {
      isAllowed: isIssued && may(readEInvoice),
      id: 'ubl',
      label: text.downloadUbl,
      icon: 'download',
      onAction: () => ask('downloadUbl'),
    },
    {
      isAllowed: isIssued && may(readEInvoice),
      id: 'facturae',
      label: text.downloadFacturae,
      icon: 'download',
      onAction: () => ask('downloadFacturae'),
    },
    {
      isAllowed: canSend && may(sendInvoiceByHand),
      id: 'send',
      label: text.sendAgain,
      icon: 'mail',
      onAction: () => ask('send'),
    },
    {
      isAllowed: !isDraft && mayCorrect,
      id: 'correct',
      label: text.whatWentWrong,
      icon: 'retry',
      onAction: () => ask('correct'),
    },
    {
      isAllowed: isDraft && may(removeInvoice),
      id: 'remove',
      label: text.removeDraft,
      icon: 'trash',
      isDangerous: true,
      onAction: () => ask('removeDraft'),
    },
  ]
  return all.filter(({ isAllowed }) => isAllowed).map(({ isAllowed: _isAllowed, ...entry }) => entry)
}
