import { FilterBar } from '../../parts/filter-bar.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Total } from '../../parts/total.tsx'
import { useWords } from '../../words/words.ts'
import { type ErrorSearch, errorSearchOf, periods, severities, states } from './error.rules.ts'
import type { ErrorGroupItem } from './error.ts'
import { errorListTexts, errorTexts } from './errors.words.ts'
import { useApplications } from './use-errors.ts'

export type ErrorSearchChange = { [Key in keyof ErrorSearch]?: ErrorSearch[Key] | undefined }

/** The search and the filters of the list, and how many errors fit them. */
export function ErrorFilterBar({
  search,
  errors,
  total,
  onChange,
}: {
  search: ErrorSearch
  errors: readonly ErrorGroupItem[]
  total: number | undefined
  onChange: (change: ErrorSearchChange) => void
}) {
  const text = useWords(errorListTexts)
  const words = useWords(errorTexts)
  const { applications } = useApplications(errors)
  const { state = 'UNRESOLVED', severity, application, module, since } = search
  const isKnown = applications.some(({ id }) => id === application)
  return (
    <FilterBar
      fields={[
        {
          id: 'state',
          label: text.stateFilter,
          values: states
            .filter(value => value !== 'ALL')
            .map(value => ({ value, label: words[value].toLowerCase() })),
        },
        {
          id: 'severity',
          label: text.severityFilter,
          values: severities.map(value => ({ value, label: words[value].toLowerCase() })),
        },
        {
          id: 'application',
          label: text.applicationFilter,
          values: [
            ...applications.map(({ id, name }) => ({ value: id, label: name })),
            ...(application && !isKnown ? [{ value: application, label: text.unnamed }] : []),
          ],
        },
        {
          id: 'since',
          label: text.sinceFilter,
          values: periods.map(value => ({ value, label: text[`since${value}`] })),
        },
        ...(module
          ? [{ id: 'module', label: text.moduleFilter, values: [{ value: module, label: module }] }]
          : []),
      ]}
      filters={{
        ...(state !== 'ALL' && { state }),
        ...(severity && { severity }),
        ...(application && { application }),
        ...(module && { module }),
        ...(since && { since }),
      }}
      onChange={filters => {
        const next = errorSearchOf(filters)
        onChange({
          // without the filter, errors of all states
          state: next.state === undefined ? 'ALL' : next.state === 'UNRESOLVED' ? undefined : next.state,
          severity: next.severity,
          application: next.application,
          module: next.module,
          since: next.since,
        })
      }}
      start={
        <SearchField
          label={text.search}
          value={search.search ?? ''}
          onChange={value => onChange({ search: value || undefined })}
        />
      }
      end={total !== undefined && <Total count={total} label={text.total(total)} isLive />}
    />
  )
}
