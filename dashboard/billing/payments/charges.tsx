import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { listAllCharges } from '#contract/billing/movements.ts'
import { chargeStatuses } from '#contract/billing/shapes.ts'
import { useList } from '../../data/read.ts'
import { Facts } from '../../parts/facts.tsx'
import { Id } from '../../parts/id.tsx'
import { SheetSection } from '../../parts/sheet.tsx'
import { Notice } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { DetailLink } from './detail-links.tsx'
import { failureText } from './failure.words.ts'
import type { Charge } from './movement.ts'
import { amountColumn, invoiceColumn, MovementList, timeColumn } from './movement-list.tsx'
import { movementQueryOf } from './movement-search.ts'
import { ChargeStatus, chargeStatusTexts } from './movement-status.tsx'
import styles from './payments.module.css'
import { paymentTexts } from './payments.words.ts'

/** The attempts to charge a card, of all invoices, with the reasons of those that failed (CHG-22). */
export function Charges() {
  const text = useWords(paymentTexts)
  const language = useLanguage()
  const statuses = useWords(chargeStatusTexts)
  const search = useSearch({ from: '/o/$organization/payments/charges' })
  const list = useList(listAllCharges, { query: movementQueryOf(search) }, { staleMs: 0 })
  const columns = useMemo(
    () => [
      invoiceColumn<Charge>(text),
      amountColumn<Charge>(text),
      timeColumn<Charge>(text.createdAt, ({ createdAt }) => createdAt),
      {
        id: 'status',
        title: text.statusColumn,
        width: '168px',
        phone: 'below' as const,
        cell: ({ status }: Charge) => <ChargeStatus status={status} />,
      },
      {
        id: 'why',
        title: text.why,
        width: 'minmax(160px, 3fr)',
        cell: (charge: Charge) => <span className={styles.quiet}>{failureText(charge, language)}</span>,
      },
    ],
    [text, language],
  )
  return (
    <MovementList
      tab="charges"
      list={list}
      columns={columns}
      search={search}
      fields={[
        {
          id: 'status',
          label: text.status,
          values: chargeStatuses.map(value => ({ value, label: statuses[value] })),
        },
      ]}
      detailsOf={charge => <ChargeDetails charge={charge} />}
    />
  )
}

function ChargeDetails({ charge }: { charge: Charge }) {
  const text = useWords(paymentTexts)
  const language = useLanguage()
  const { status, failureCode, declineCode, endedAt, paymentIntentId, paymentAuthorizationId } = charge
  return (
    <>
      {(status === 'PROCESSING' || status === 'REQUIRES_ACTION') && (
        <SheetSection>
          <Notice kind="warn">{waitTextOf(charge, text)}</Notice>
        </SheetSection>
      )}
      <SheetSection>
        <Facts
          facts={[
            { term: text.statusColumn, value: <ChargeStatus status={status} /> },
            { term: text.why, value: failureText(charge, language) },
            failureCode !== null && {
              term: text.gatewayCode,
              value: (
                <code className={styles.code}>{[failureCode, declineCode].filter(Boolean).join(', ')}</code>
              ),
            },
            {
              term: text.client,
              value: (
                <DetailLink noun="client" id={charge.clientId}>
                  {charge.clientName}
                </DetailLink>
              ),
            },
            { term: text.kind, value: text[charge.kind] },
            { term: text.createdAt, value: <Time value={charge.createdAt} form="moment" isFocusable /> },
            endedAt !== null && {
              term: text.endedAt,
              value: <Time value={endedAt} form="moment" isFocusable />,
            },
            paymentIntentId !== null && { term: text.intent, value: <Id value={paymentIntentId} /> },
            paymentAuthorizationId !== null && {
              term: text.authorization,
              value: <Id value={paymentAuthorizationId} isShortened />,
            },
            { term: text.id, value: <Id value={charge.id} isShortened /> },
          ]}
        />
      </SheetSection>
    </>
  )
}

function waitTextOf(
  { kind, status }: Charge,
  text: Record<'atBank' | 'processing' | 'waitsForPayer', string>,
): string {
  if (kind === 'DIRECT_DEBIT') return text.atBank
  return status === 'PROCESSING' ? text.processing : text.waitsForPayer
}
