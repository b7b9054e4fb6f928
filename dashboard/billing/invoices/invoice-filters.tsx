import { type ReactNode, useState } from 'react'
import { listClients, readClient } from '#contract/crm/clients.ts'
import { useMay } from '../../data/organization.tsx'
import { useRead } from '../../data/read.ts'
import { currentTime } from '../../parts/clock.ts'
import { FilterBar, type FilterField } from '../../parts/filter-bar.tsx'
import { late } from '../../parts/late.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { useWords } from '../../words/words.ts'
import type { ChosenField } from './choose-filter-dialog.tsx'
import {
  daysOf,
  type InvoiceSearch,
  type InvoiceSearchChange,
  invoiceSearchOf,
  namedPeriods,
  statusesOfView,
} from './invoice-search.ts'
import { invoiceStatusTexts } from './invoice-status.tsx'
import { invoiceListTexts } from './invoices.words.ts'

const ChooseFilterDialog = late(() =>
  import('./choose-filter-dialog.tsx').then(dialog => dialog.ChooseFilterDialog),
)

type FiltersProps = {
  search: InvoiceSearch
  onChange: (change: InvoiceSearchChange) => void
  end: ReactNode
}
/** The value of a filter that a dialog asks for. */
const choose = 'choose'

/** The filters of the list: by status, client and days. A client and exact days are chosen in a dialog. */
export function InvoiceFilters({ search, onChange, end }: FiltersProps) {
  const text = useWords(invoiceListTexts)
  const statusText = useWords(invoiceStatusTexts)
  const may = useMay()
  const [chosen, setChosen] = useState<ChosenField>()
  const { status, clientId, issued, due } = search
  const client = useRead(readClient, { params: { id: clientId ?? '' } }, { enabled: clientId !== undefined })
  const today = new Date(currentTime()).toISOString().slice(0, 10)
  const periods = (current: string | undefined) => {
    const named = namedPeriods(today).map(({ name, period }) => ({ value: period, label: text[name] }))
    const isOther = current !== undefined && !named.some(({ value }) => value === current)
    const [from = '', to = ''] = daysOf(current)
    return [
      ...named,
      ...(isOther ? [{ value: current, label: text.otherPeriod(from, to) }] : []),
      { value: choose, label: text.otherDays },
    ]
  }
  const statuses = statusesOfView[search.view ?? 'all']
  const fields: FilterField[] = [
    ...(statuses.length > 0
      ? [
          {
            id: 'status',
            label: text.statusFilter,
            values: statuses.map(value => ({ value, label: statusText[value] })),
          },
        ]
      : []),
    ...(may(listClients)
      ? [
          {
            id: 'clientId',
            label: text.clientFilter,
            values: [
              ...(clientId ? [{ value: clientId, label: client.data?.name ?? clientId }] : []),
              { value: choose, label: text.chooseClient },
            ],
          },
        ]
      : []),
    { id: 'issued', label: text.issuedFilter, values: periods(issued) },
    { id: 'due', label: text.dueFilter, values: periods(due) },
  ]
  return (
    <>
      <FilterBar
        fields={fields}
        filters={{
          ...(status && { status }),
          ...(clientId && { clientId }),
          ...(issued && { issued }),
          ...(due && { due }),
        }}
        onChange={filters => {
          const wanted = (['clientId', 'issued', 'due'] as const).find(field => filters[field] === choose)
          if (wanted) return setChosen(wanted)
          const { view: _view, ...changed } = invoiceSearchOf({ ...filters, view: search.view })
          onChange({
            status: undefined,
            clientId: undefined,
            issued: undefined,
            due: undefined,
            ...changed,
          })
        }}
        start={
          <SearchField
            label={text.search}
            value={search.search ?? ''}
            onChange={value => onChange({ search: value || undefined })}
          />
        }
        end={end}
      />
      {chosen && (
        <ChooseFilterDialog chosen={chosen} onChange={onChange} onClose={() => setChosen(undefined)} />
      )}
    </>
  )
}
