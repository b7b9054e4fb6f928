import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { createInvoice, exportInvoices, listInvoices } from '#contract/billing/invoices.ts'
import { readBillingSummary } from '#contract/billing/summary.ts'
import { useCommands } from '../../data/commands.ts'
import { useCreateAction } from '../../data/create-action.ts'
import { ListGrid } from '../../data/list-grid.tsx'
import { useNewRows } from '../../data/new-rows.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { useList } from '../../data/read.ts'
import { useDownload } from '../../data/use-download.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { CreateButton } from '../../parts/create-button.tsx'
import { EmptyList } from '../../parts/empty-list.tsx'
import { late } from '../../parts/late.tsx'
import { neighboursOf } from '../../parts/neighbours.ts'
import { Page } from '../../parts/page.tsx'
import { useIsPhone } from '../../parts/phone.ts'
import { Tabs } from '../../parts/tabs.tsx'
import { Total } from '../../parts/total.tsx'
import { WithSheet } from '../../parts/with-sheet.tsx'
import { actionTexts } from '../../words/actions.ts'
import { useWords } from '../../words/words.ts'
import { invoiceColumns } from './invoice-columns.tsx'
import { InvoiceFilters } from './invoice-filters.tsx'
import {
  filtersOf,
  type InvoiceSearch,
  type InvoiceSearchChange,
  type InvoiceSort,
  type InvoiceView,
  invoiceViews,
  listQueryOf,
  sortOf,
} from './invoice-search.ts'
import { InvoiceSums } from './invoice-sums.tsx'
import { invoiceListTexts } from './invoices.words.ts'

const InvoiceSheet = late(() => import('./invoice-sheet.tsx').then(sheet => sheet.InvoiceSheet))
const NewInvoiceDialog = late(() =>
  import('./new-invoice-dialog.tsx').then(dialog => dialog.NewInvoiceDialog),
)

/** The invoices of the organization, by what has to be done with them. */
export function Invoices() {
  const text = useWords(invoiceListTexts)
  const actionText = useWords(actionTexts)
  const may = useMay()
  const navigate = useNavigate()
  const { address } = useOrganization()
  const { open, ...search } = useSearch({ from: '/o/$organization/invoices' })
  const { view = 'all', clientId } = search
  const [isCreating, setCreating] = useState(false)
  const invoices = useList(listInvoices, { query: listQueryOf(search) }, { staleMs: 0 })
  const shown = useMemo(() => new Set(invoices.items.map(({ id }) => id)), [invoices.items])
  const newRows = useNewRows(listInvoices, shown)
  const columns = useMemo(() => invoiceColumns(text), [text])
  const change = (changed: InvoiceSearchChange) =>
    void navigate({ to: '.', search: former => ({ ...former, ...changed }), replace: true })
  const create = () => setCreating(true)
  const mayCreate = may(createInvoice)
  useCreateAction('create-invoice', actionText['create-invoice'], text.title, mayCreate && create)
  const { view: _view, sort: _sort, ...filters } = search
  const isFiltered = Object.keys(filters).length > 0
  // the server adds up all clients or one, and nothing else
  const hasSums =
    ['due', 'overdue'].includes(view) && Object.keys(filters).every(filter => filter === 'clientId')
  const index = invoices.items.findIndex(({ id }) => id === open)
  return (
    <Page
      title={text.title}
      width="full"
      actions={
        <>
          <ExportButton search={search} />
          {mayCreate && (
            <CreateButton isSecondary={open !== undefined} dialog={NewInvoiceDialog} onPress={create}>
              {actionText['create-invoice']}
            </CreateButton>
          )}
        </>
      }
      below={
        <>
          <InvoiceTabs view={view} clientId={clientId} />
          <InvoiceFilters
            search={search}
            onChange={change}
            end={
              invoices.total !== undefined && (
                <Total isLive count={invoices.total} label={text.count(invoices.total)} />
              )
            }
          />
          {hasSums && may(readBillingSummary) && (
            <InvoiceSums clientId={clientId} isOverdue={view === 'overdue'} />
          )}
        </>
      }
    >
      <WithSheet
        sheet={
          open !== undefined && (
            <InvoiceSheet
              key={open}
              invoiceId={open}
              onClose={() => change({ open: undefined })}
              {...neighboursOf(invoices.items, index, ({ id }) => change({ open: id }))}
            />
          )
        }
      >
        <ListGrid
          label={text.title}
          columns={columns}
          list={invoices}
          newCount={newRows.ids.length}
          onShowNew={newRows.show}
          rowKey={({ id }) => id}
          rowLabel={({ number, clientName }) => `${number ?? text.noNumber}, ${clientName}`}
          rowHref={({ id }) => `/o/${encodeURIComponent(address)}/invoices/${id}`}
          onOpen={({ id }) => change({ open: id })}
          current={open}
          sort={sortOf(search)}
          onSort={sort => change({ sort: sort as InvoiceSort })}
          empty={
            <EmptyList
              isFiltered={isFiltered}
              nothingFits={text.nothing}
              onClear={() => void navigate({ to: '.', search: view === 'all' ? {} : { view } })}
              title={text[`nothing${view}`]}
              action={mayCreate && <Button onPress={create}>{actionText['create-invoice']}</Button>}
            />
          }
        />
      </WithSheet>
      {isCreating && <NewInvoiceDialog onClose={() => setCreating(false)} />}
    </Page>
  )
}

/** The views of the list, by what has to be done. The client of the filters stays. */
function InvoiceTabs({ view, clientId }: { view: InvoiceView; clientId: string | undefined }) {
  const text = useWords(invoiceListTexts)
  const router = useRouter()
  const { address } = useOrganization()
  return (
    <Tabs
      label={text.views}
      current={view}
      tabs={invoiceViews.map(id => ({
        id,
        title: text[id],
        href: router.buildLocation({
          to: '/o/$organization/invoices',
          params: { organization: address },
          search: { ...(id !== 'all' && { view: id }), ...(clientId && { clientId }) },
        }).href,
      }))}
    />
  )
}

/** Downloads the invoices that the filters find, also as a command of the palette. */
function ExportButton({ search }: { search: InvoiceSearch }) {
  const text = useWords(invoiceListTexts)
  const isPhone = useIsPhone()
  const download = useDownload(exportInvoices, 'invoices.csv')
  const exportList = () =>
    download.mutate({ query: filtersOf(search) }, { toast: () => text.exported, toastsFailure: true })
  useCommands([{ id: 'export-invoices', label: text.exportCsv, icon: 'download', action: exportList }])
  return isPhone ? (
    <IconButton icon="download" label={text.exportCsv} onPress={exportList} />
  ) : (
    <Button kind="quiet" icon="download" isBusy={download.isPending} onPress={exportList}>
      {text.exportCsv}
    </Button>
  )
}
