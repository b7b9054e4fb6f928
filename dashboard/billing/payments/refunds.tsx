import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { listAllRefunds } from '#contract/billing/movements.ts'
import { refundStates } from '#contract/billing/shapes.ts'
import { useList } from '../../data/read.ts'
import { Facts } from '../../parts/facts.tsx'
import { Id } from '../../parts/id.tsx'
import { SheetSection } from '../../parts/sheet.tsx'
import { Notice } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { DetailLink } from './detail-links.tsx'
import type { Refund } from './movement.ts'
import { amountColumn, invoiceColumn, MovementList, timeColumn } from './movement-list.tsx'
import { movementQueryOf } from './movement-search.ts'
import { RefundStatus, refundStatusTexts } from './movement-status.tsx'
import styles from './payments.module.css'
import { paymentTexts, refundReasonTexts } from './payments.words.ts'

/** The refunds of all invoices (RFD-17). */
export function Refunds() {
  const text = useWords(paymentTexts)
  const language = useLanguage()
  const statuses = useWords(refundStatusTexts)
  const search = useSearch({ from: '/o/$organization/payments/refunds' })
  const list = useList(listAllRefunds, { query: movementQueryOf(search) }, { staleMs: 0 })
  const columns = useMemo(
    () => [
      invoiceColumn<Refund>(text),
      amountColumn<Refund>(text),
      timeColumn<Refund>(text.askedAt, ({ createdAt }) => createdAt),
      {
        id: 'status',
        title: text.statusColumn,
        width: '168px',
        phone: 'below' as const,
        cell: ({ status }: Refund) => <RefundStatus status={status} />,
      },
      {
        id: 'reason',
        title: text.reason,
        width: 'minmax(160px, 2fr)',
        cell: ({ reason }: Refund) => (reason ? refundReasonTexts[language][reason] : ''),
      },
    ],
    [text, language],
  )
  return (
    <MovementList
      tab="refunds"
      list={list}
      columns={columns}
      search={search}
      fields={[
        {
          id: 'status',
          label: text.status,
          values: refundStates.map(value => ({ value, label: statuses[value] })),
        },
      ]}
      detailsOf={refund => <RefundDetails refund={refund} />}
    />
  )
}

function RefundDetails({ refund }: { refund: Refund }) {
  const text = useWords(paymentTexts)
  const reasons = useWords(refundReasonTexts)
  const { status, reason, rectifyingInvoiceId, gatewayRefundIds } = refund
  return (
    <>
      {status === 'PENDING' && (
        <SheetSection>
          <Notice kind="warn">{text.pendingRefund}</Notice>
        </SheetSection>
      )}
      <SheetSection>
        <Facts
          facts={[
            { term: text.statusColumn, value: <RefundStatus status={status} /> },
            {
              term: text.client,
              value: (
                <DetailLink noun="client" id={refund.clientId}>
                  {refund.clientName}
                </DetailLink>
              ),
            },
            { term: text.full, value: refund.isFullRefund ? text.isFull : text.isPartial },
            reason !== null && { term: text.reason, value: reasons[reason] },
            { term: text.askedAt, value: <Time value={refund.createdAt} form="moment" isFocusable /> },
            rectifyingInvoiceId !== null && {
              term: text.rectifying,
              value: (
                <DetailLink noun="invoice" id={rectifyingInvoiceId}>
                  {text.openRectifying}
                </DetailLink>
              ),
            },
            gatewayRefundIds.length > 0 && {
              term: text.refundIds,
              value: (
                <span className={styles.stack}>
                  {gatewayRefundIds.map(id => (
                    <Id key={id} value={id} />
                  ))}
                </span>
              ),
            },
            { term: text.id, value: <Id value={refund.id} isShortened /> },
          ]}
        />
      </SheetSection>
    </>
  )
}
