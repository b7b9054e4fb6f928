import type { ReactNode } from 'react'
import { opportunityStatuses } from '#contract/crm/opportunities.ts'
import { FilterBar } from '../../parts/filter-bar.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { useWords } from '../../words/words.ts'
import { useClientNames } from '../budgets/client-name.tsx'
import { opportunityTexts } from './opportunities.words.ts'
import type { OpportunitySearch } from './opportunity.rules.ts'

type Filters = Pick<OpportunitySearch, 'search' | 'status' | 'clientId'>

/** The search and the filters above the list or the board, whose columns stand for the statuses. */
export function OpportunityFilters({
  view,
  filters: { search, status, clientId },
  onChange,
  end,
}: {
  view: 'table' | 'board'
  filters: Filters
  onChange: (changed: { [Key in keyof Filters]?: Filters[Key] | undefined }) => void
  end?: ReactNode
}) {
  const text = useWords(opportunityTexts)
  const clientName = useClientNames(clientId ? [clientId] : []).get(clientId ?? '')
  const statusField = {
    id: 'status',
    label: text.statusFilter,
    values: opportunityStatuses.map(value => ({ value, label: text[value] })),
  }
  return (
    <FilterBar
      fields={[
        ...(view === 'table' ? [statusField] : []),
        ...(clientId
          ? [
              {
                id: 'clientId',
                label: text.clientFilter,
                values: [{ value: clientId, label: clientName ?? text.client }],
              },
            ]
          : []),
      ]}
      filters={{ ...(status && { status }), ...(clientId && { clientId }) }}
      onChange={changed =>
        onChange({
          status: opportunityStatuses.find(one => one === changed.status),
          clientId: changed.clientId,
        })
      }
      start={
        <SearchField
          label={text.search}
          value={search ?? ''}
          onChange={value => onChange({ search: value || undefined })}
        />
      }
      end={end}
    />
  )
}
