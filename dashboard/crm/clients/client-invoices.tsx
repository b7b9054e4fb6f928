import { listInvoices } from '#contract/billing/invoices.ts'
import type { InvoiceSummary } from '#contract/billing/shapes.ts'
import type { Client } from '#contract/crm/clients.ts'
import { DetailList, DetailRow, type HeadingLevel } from '../../data/detail-list.tsx'
import { useKnownHref } from '../../data/known-href.ts'
import { useMay } from '../../data/organization.tsx'
import { useRead } from '../../data/read.ts'
import { ButtonLink } from '../../parts/button.tsx'
import type { IconName } from '../../parts/icon.tsx'
import { Money } from '../../parts/money.tsx'
import { Status, type StatusKind } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { Named, shownDocuments } from './client-documents.tsx'
import { documentTexts, invoiceStateTexts } from './documents.words.ts'

type Part = { client: Client; level: HeadingLevel }

/** The newest invoices of a client, for people who see invoices. */
export function ClientInvoices(part: Part) {
  const may = useMay()
  return may(listInvoices) ? <InvoicesOf {...part} /> : null
}

function InvoicesOf({ client, level }: Part) {
  const text = useWords(documentTexts)
  const hrefOf = useKnownHref()
  const query = { clientId: client.id, limit: shownDocuments }
  const { data, error, refetch } = useRead(listInvoices, { query }, { staleMs: 0 })
  const listHref = hrefOf('invoices', `?view=all&clientId=${client.id}`)
  const total = data?.pagination.total
  return (
    <DetailList
      level={level}
      title={text.invoices}
      rows={data?.data}
      total={total}
      error={error}
      reload={() => void refetch()}
      rowKey={({ id }) => id}
      empty={text.noInvoices}
      action={
        listHref !== undefined &&
        total !== undefined &&
        total > shownDocuments && (
          <ButtonLink kind="quiet" size="small" href={listHref}>
            {text.all}
          </ButtonLink>
        )
      }
      row={invoice => (
        <DetailRow
          name={
            <Named
              name={invoice.number ?? text.draftInvoice}
              href={hrefOf('invoices/$id', '', { id: invoice.id })}
            />
          }
          about={<Dates invoice={invoice} />}
        >
          <InvoiceState invoice={invoice} />
          <Money cents={invoice.totalCents} currency={invoice.currency} />
        </DetailRow>
      )}
    />
  )
}

function Dates({ invoice: { issueDate, dueDate, createdAt } }: { invoice: InvoiceSummary }) {
  const text = useWords(documentTexts)
  if (dueDate !== null)
    return (
      <>
        {text.dueOn} <Time value={dueDate} form="date" />
      </>
    )
  if (issueDate !== null)
    return (
      <>
        {text.issuedOn} <Time value={issueDate} form="date" />
      </>
    )
  return <Time value={createdAt} form="date" />
}

const states: Readonly<Record<InvoiceSummary['status'], { icon: IconName; kind: StatusKind }>> = {
  DRAFT: { icon: 'dashed', kind: 'plain' },
  ISSUED: { icon: 'quarter', kind: 'plain' },
  SENT: { icon: 'half', kind: 'plain' },
  PARTIALLY_PAID: { icon: 'threeQuarters', kind: 'plain' },
  PAID: { icon: 'done', kind: 'done' },
  RECTIFIED: { icon: 'retry', kind: 'quiet' },
  VOIDED: { icon: 'blocked', kind: 'quiet' },
}

function InvoiceState({ invoice: { status, isOverdue } }: { invoice: InvoiceSummary }) {
  const text = invoiceStateTexts[useLanguage()]
  if (isOverdue)
    return (
      <Status icon="errors" kind="danger">
        {text.overdue}
      </Status>
    )
  return <Status {...states[status]}>{text[status]}</Status>
}
