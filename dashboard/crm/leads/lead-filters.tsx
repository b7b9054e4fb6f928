import { readLeadValues } from '#contract/crm/lead-values.ts'
import { crmLimits } from '#contract/crm/limits.ts'
import { leadStatuses, temperatures } from '#contract/crm/shapes.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useRead } from '../../data/read.ts'
import { FilterBar, type FilterField } from '../../parts/filter-bar.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Total } from '../../parts/total.tsx'
import { useWords } from '../../words/words.ts'
import { statusTexts, temperatureTexts } from './lead.words.ts'
import { type LeadSearch, type LeadSearchChange, leadFiltersOf } from './lead-search.ts'
import { leadListTexts } from './leads.words.ts'

const closedStatuses = 'LOST,WON'

/** The search and the filters of the list. A search looks in all open leads, or in all; it knows no other filter. */
export function LeadFilterBar({
  search,
  owners,
  total,
  onChange,
}: {
  search: LeadSearch
  owners: ReadonlyMap<string, string>
  total: number | undefined
  onChange: (change: Partial<LeadSearchChange>) => void
}) {
  const text = useWords(leadListTexts)
  const isSearching = search.q !== undefined
  const fields = useLeadFilterFields(search, owners)
  const { status, assigneeId, stage, source, temperature, includeClosed } = search
  const filters = isSearching ? { includeClosed } : { status, assigneeId, stage, source, temperature }
  return (
    <FilterBar
      fields={fields}
      filters={Object.fromEntries(
        Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
      )}
      onChange={chosen => onChange({ ...undefinedOf(filters), ...leadFiltersOf(chosen) })}
      start={
        <SearchField
          label={text.search}
          value={search.q ?? ''}
          maxLength={crmLimits.leadSearch}
          onChange={q =>
            onChange({
              status: undefined,
              assigneeId: undefined,
              stage: undefined,
              source: undefined,
              temperature: undefined,
              includeClosed: undefined,
              orderBy: undefined,
              order: undefined,
              view: undefined,
              q: q || undefined,
            })
          }
        />
      }
      end={total !== undefined && <Total count={total} label={text.total(total)} />}
    />
  )
}

/** The same keys, each undefined: removes the filters that are not chosen any more. */
function undefinedOf(filters: object): Partial<LeadSearchChange> {
  return Object.fromEntries(Object.keys(filters).map(name => [name, undefined]))
}

/** The filters of the list. `owners`: the names of the people, by their ids. */
export function useLeadFilterFields(search: LeadSearch, owners: ReadonlyMap<string, string>): FilterField[] {
  const text = useWords(leadListTexts)
  const statusNames = useWords(statusTexts)
  const temperatureNames = useWords(temperatureTexts)
  const { caller } = useOrganization()
  const { data } = useRead(readLeadValues)
  if (search.q !== undefined)
    return [
      { id: 'includeClosed', label: text.filterClosed, values: [{ value: 'true', label: text.included }] },
    ]
  const nameOfOwner = (id: string) => owners.get(id) ?? text.unknownPerson
  const ownerIds = new Set([
    caller.person.id,
    ...(data?.assignees.items ?? []).map(({ id }) => id),
    ...(search.assigneeId && search.assigneeId !== 'none' ? [search.assigneeId] : []),
  ])
  const statuses = leadStatuses.map(value => ({ value: value as string, label: statusNames[value] }))
  const combined =
    search.status?.includes(',') && search.status !== closedStatuses ? search.status : undefined
  return [
    {
      id: 'status',
      label: text.filterStatus,
      values: [
        ...statuses,
        { value: closedStatuses, label: text.closed },
        ...(combined ? [{ value: combined, label: labelOf(combined, statuses) }] : []),
      ],
    },
    {
      id: 'assigneeId',
      label: text.filterOwner,
      values: [
        { value: 'none', label: text.nobody },
        ...[...ownerIds].map(value => ({
          value,
          label: value === caller.person.id ? text.me : nameOfOwner(value),
        })),
      ],
    },
    {
      id: 'temperature',
      label: text.filterTemperature,
      values: temperatures.map(value => ({ value, label: temperatureNames[value] })),
    },
    ...textField('stage', text.filterStage, data?.stages.items),
    ...textField('source', text.filterSource, data?.sources.items),
  ].filter(({ id, values }) => values.length > 0 || id in search)
}

function labelOf(values: string, options: readonly { value: string; label: string }[]): string {
  return values
    .split(',')
    .map(value => options.find(option => option.value === value)?.label ?? value)
    .join(', ')
}

function textField(
  id: 'stage' | 'source',
  label: string,
  values: readonly { value: string }[] | undefined,
): FilterField[] {
  return [{ id, label, values: (values ?? []).map(({ value }) => ({ value, label: value })) }]
}
