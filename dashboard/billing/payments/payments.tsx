import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { listAllPayments, paymentMethods, paymentStatuses } from '#contract/billing/movements.ts'
import { useList } from '../../data/read.ts'
import { useLanguage, useWords } from '../../words/words.ts'
import type { Payment } from './movement.ts'
import { amountColumn, invoiceColumn, MovementList, timeColumn } from './movement-list.tsx'
import { movementQueryOf } from './movement-search.ts'
import { PaymentStatus, paymentStatusTexts } from './movement-status.tsx'
import { PaymentDetails } from './payment-details.tsx'
import { methodText, methodTexts, paymentTexts } from './payments.words.ts'

/** The payments of all invoices. */
export function Payments() {
  const text = useWords(paymentTexts)
  const language = useLanguage()
  const statuses = useWords(paymentStatusTexts)
  const methods = useWords(methodTexts)
  const search = useSearch({ from: '/o/$organization/payments' })
  const query = { ...movementQueryOf(search), ...(search.method && { method: search.method }) }
  const list = useList(listAllPayments, { query }, { staleMs: 0 })
  const columns = useMemo(
    () => [
      invoiceColumn<Payment>(text),
      amountColumn<Payment>(text),
      timeColumn<Payment>(text.paidAt, ({ paidAt }) => paidAt),
      {
        id: 'status',
        title: text.statusColumn,
        width: '168px',
        phone: 'below' as const,
        cell: ({ status }: Payment) => <PaymentStatus status={status} />,
      },
      {
        id: 'method',
        title: text.methodColumn,
        width: '176px',
        cell: ({ method }: Payment) => methodText(method, language),
      },
      {
        id: 'reference',
        title: text.reference,
        cell: ({ reference, paymentIntentId }: Payment) => reference ?? paymentIntentId ?? '',
      },
    ],
    [text, language],
  )
  return (
    <MovementList
      tab="payments"
      list={list}
      columns={columns}
      search={search}
      fields={[
        {
          id: 'status',
          label: text.status,
          values: paymentStatuses.map(value => ({ value, label: statuses[value] })),
        },
        {
          id: 'method',
          label: text.method,
          values: paymentMethods.map(value => ({ value, label: methods[value] })),
        },
      ]}
      detailsOf={payment => <PaymentDetails payment={payment} />}
    />
  )
}
