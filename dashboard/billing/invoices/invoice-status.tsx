import type { IconName } from '../../parts/icon.tsx'
import { Status, type StatusKind } from '../../parts/status.tsx'
import { useWords, words } from '../../words/words.ts'
import type { ListedInvoice } from './invoice.ts'

export const invoiceStatusTexts = words({
  es: {
    DRAFT: 'Borrador',
    ISSUED: 'Emitida',
    SENT: 'Enviada',
    PARTIALLY_PAID: 'Pagada en parte',
    PAID: 'Pagada',
    RECTIFIED: 'Rectificada',
    VOIDED: 'Anulada',
    overdue: 'Vencida',
    refunded: 'Devuelta',
    partlyRefunded: 'Devuelta en parte',
  },
  en: {
    DRAFT: 'Draft',
    ISSUED: 'Issued',
    SENT: 'Sent',
    PARTIALLY_PAID: 'Partly paid',
    PAID: 'Paid',
    RECTIFIED: 'Rectified',
    VOIDED: 'Voided',
    overdue: 'Overdue',
    refunded: 'Refunded',
    partlyRefunded: 'Partly refunded',
  },
})

type Look = { icon: IconName; kind?: StatusKind; text: keyof (typeof invoiceStatusTexts)['en'] }

const looks: Readonly<Record<ListedInvoice['status'], Look>> = {
  DRAFT: { icon: 'dashed', text: 'DRAFT' },
  ISSUED: { icon: 'quarter', text: 'ISSUED' },
  SENT: { icon: 'half', text: 'SENT' },
  PARTIALLY_PAID: { icon: 'threeQuarters', text: 'PARTIALLY_PAID' },
  PAID: { icon: 'done', kind: 'done', text: 'PAID' },
  RECTIFIED: { icon: 'edit', kind: 'quiet', text: 'RECTIFIED' },
  VOIDED: { icon: 'blocked', kind: 'quiet', text: 'VOIDED' },
}

type Shown = Pick<ListedInvoice, 'status' | 'isOverdue' | 'refundStatus'>

/** The state that matters most: overdue, then refunded, then the status. */
function lookOf({ status, isOverdue, refundStatus }: Shown): Look {
  if (isOverdue) return { icon: 'errors', kind: 'danger', text: 'overdue' }
  if (refundStatus === 'FULL') return { icon: 'retry', kind: 'quiet', text: 'refunded' }
  if (refundStatus === 'PARTIAL') return { icon: 'retry', text: 'partlyRefunded' }
  return looks[status]
}

export function InvoiceStatus({ invoice }: { invoice: Shown }) {
  const texts = useWords(invoiceStatusTexts)
  const { icon, kind, text } = lookOf(invoice)
  return (
    <Status icon={icon} {...(kind && { kind })}>
      {texts[text]}
    </Status>
  )
}
