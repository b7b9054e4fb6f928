import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ListGrid, type ListGridProps } from '../../data/list-grid.tsx'
import { currentTime } from '../../parts/clock.ts'
import { EmptyList } from '../../parts/empty-list.tsx'
import { FilterBar, type FilterField, type Filters } from '../../parts/filter-bar.tsx'
import type { Column } from '../../parts/grid.tsx'
import { late } from '../../parts/late.tsx'
import { Money } from '../../parts/money.tsx'
import { neighboursOf } from '../../parts/neighbours.ts'
import { Page } from '../../parts/page.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Time } from '../../parts/time.tsx'
import { monthText } from '../../parts/time-text.ts'
import { Total } from '../../parts/total.tsx'
import { WithSheet } from '../../parts/with-sheet.tsx'
import { type Language, useLanguage, useWords } from '../../words/words.ts'
import { useDetailHref } from './detail-links.tsx'
import type { Movement } from './movement.ts'
import { type MovementSearch, monthsUntil } from './movement-search.ts'
import { PaymentTabs } from './payment-tabs.tsx'
import styles from './payments.module.css'
import { paymentTexts } from './payments.words.ts'

const MovementSheet = late(() => import('./movement-sheet.tsx').then(sheet => sheet.MovementSheet))

/** How many months back the filter offers. */
const monthsBack = 24

export type MovementListProps<Row extends Movement> = {
  tab: 'payments' | 'charges' | 'refunds'
  list: ListGridProps<Row>['list']
  columns: readonly Column<Row>[]
  /** The filters besides currency and month. */
  fields: readonly FilterField[]
  search: MovementSearch & { method?: string }
  /** The details of a row, in its sheet. */
  detailsOf: (row: Row) => ReactNode
}

/** A list of money over all invoices, from the line of a bank statement to the invoice in one search (PAY-12). */
export function MovementList<Row extends Movement>(props: MovementListProps<Row>) {
  const { tab, list, columns, fields, search, detailsOf } = props
  const text = useWords(paymentTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const hrefOf = useDetailHref()
  const { search: sought, open, ...filters } = search
  const isFiltered = sought !== undefined || Object.keys(filters).length > 0
  const change = (changed: Record<string, string | undefined>) =>
    void navigate({ to: '.', search: former => ({ ...former, ...changed }), replace: true })
  const setFilters = (next: Filters) =>
    change({ ...Object.fromEntries(Object.keys(filters).map(name => [name, undefined])), ...next })
  const clear = () => void navigate({ to: '.', search: {}, replace: true })
  const index = list.items.findIndex(({ id }) => id === open)
  const allFields = [
    ...fields,
    { id: 'month', label: text.month, values: monthValues(language) },
    { id: 'currency', label: text.currency, values: currencyValues(list.items, filters.currency) },
  ]
  return (
    <Page
      title={text.title}
      width="full"
      below={
        <>
          <PaymentTabs current={tab} search={sought} />
          <FilterBar
            fields={allFields}
            filters={filters as Filters}
            onChange={setFilters}
            start={
              <SearchField
                label={text.search}
                value={sought ?? ''}
                onChange={value => change({ search: value || undefined })}
              />
            }
            end={
              list.total !== undefined && (
                <Total count={list.total} label={text[`total_${tab}`](list.total)} isLive />
              )
            }
          />
        </>
      }
    >
      <WithSheet
        sheet={
          open !== undefined && (
            <MovementSheet
              key={open}
              movement={list.items[index]}
              isLoading={list.isLoading}
              onClose={() => change({ open: undefined })}
              {...neighboursOf(list.items, index, ({ id }) => change({ open: id }))}
            >
              {list.items[index] && detailsOf(list.items[index])}
            </MovementSheet>
          )
        }
      >
        <ListGrid
          label={text[tab]}
          columns={columns}
          list={list}
          rowKey={({ id }) => id}
          rowLabel={({ invoiceNumber, clientName }) => `${invoiceNumber ?? text.draft}, ${clientName}`}
          {...(hrefOf('invoice', '') !== undefined && {
            rowHref: ({ invoiceId }: Row) => hrefOf('invoice', invoiceId)!,
          })}
          onOpen={({ id }) => change({ open: id })}
          current={open}
          empty={
            <EmptyList
              isFiltered={isFiltered}
              nothingFits={text.nothing}
              onClear={clear}
              title={text[`none_${tab}`]}
            >
              {text[`about_${tab}`]}
            </EmptyList>
          }
        />
      </WithSheet>
    </Page>
  )
}

function monthValues(language: Language): FilterField['values'] {
  return monthsUntil(currentTime(), monthsBack).map(value => ({ value, label: monthText(value, language) }))
}

/** The currencies of the rows that were read; the server knows no list of all. */
function currencyValues(rows: readonly Movement[], chosen: string | undefined): FilterField['values'] {
  const currencies = new Set(rows.map(({ currency }) => currency))
  if (chosen) currencies.add(chosen)
  return [...currencies].sort().map(value => ({ value, label: value.toUpperCase() }))
}

type ColumnTexts = Record<'invoice' | 'draft' | 'amount', string>

/** The first column: the invoice and its client. */
export function invoiceColumn<Row extends Movement>(text: ColumnTexts): Column<Row> {
  return {
    id: 'invoice',
    title: text.invoice,
    width: 'minmax(200px, 3fr)',
    cell: ({ invoiceNumber, clientName }) => (
      <>
        {invoiceNumber ?? text.draft} <span className={styles.quiet}>{clientName}</span>
      </>
    ),
  }
}

export function amountColumn<Row extends Movement>(text: ColumnTexts): Column<Row> {
  return {
    id: 'amount',
    title: text.amount,
    width: '120px',
    align: 'end',
    phone: 'end',
    cell: ({ amountCents, currency }) => <Money cents={amountCents} currency={currency} />,
  }
}

export function timeColumn<Row extends Movement>(title: string, timeOf: (row: Row) => string): Column<Row> {
  return {
    id: 'time',
    title,
    width: '112px',
    align: 'end',
    phone: 'belowEnd',
    cell: row => <Time value={timeOf(row)} form="date" />,
  }
}
