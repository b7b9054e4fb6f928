import { useState } from 'react'
import { getMember } from '#contract/identity/organization.ts'
import { useRead } from '../../data/read.ts'
import { currentTime } from '../../parts/clock.ts'
import { FilterBar, type FilterField } from '../../parts/filter-bar.tsx'
import { late } from '../../parts/late.tsx'
import { dayText } from '../../parts/time-text.ts'
import { useLanguage, useWords } from '../../words/words.ts'
import { operationText } from './audit.rules.ts'
import { auditTexts } from './audit.words.ts'
import type { ChosenField } from './choose-filter-dialog.tsx'
import type { AuditSearch, AuditSearchChange } from './entry.ts'

const ChooseFilterDialog = late(() =>
  import('./choose-filter-dialog.tsx').then(dialog => dialog.ChooseFilterDialog),
)

/** The value of a filter that a dialog asks for. */
const choose = 'choose'

/** The filters of the log: who, what, about what, and between which days. */
export function AuditFilters({
  search,
  onChange,
}: {
  search: AuditSearch
  onChange: (change: AuditSearchChange) => void
}) {
  const text = useWords(auditTexts)
  const language = useLanguage()
  const [chosen, setChosen] = useState<ChosenField>()
  const { actorId, operation, subject, from, to } = search
  const actor = useRead(
    getMember,
    { params: { personId: actorId ?? '' } },
    { enabled: actorId !== undefined },
  )
  const days = from || to ? `${from ?? ''}..${to ?? ''}` : undefined
  const fields: FilterField[] = [
    {
      id: 'actorId',
      label: text.actorFilter,
      values: [
        ...(actorId ? [{ value: actorId, label: actor.data?.name ?? actorId }] : []),
        { value: choose, label: text.choose },
      ],
    },
    {
      id: 'operation',
      label: text.operationFilter,
      values: [
        ...(operation ? [{ value: operation, label: operationText(operation, language) ?? operation }] : []),
        { value: choose, label: text.choose },
      ],
    },
    {
      id: 'days',
      label: text.daysFilter,
      values: [
        ...lastDays.map(count => ({ value: daysUntilToday(count), label: text.lastDays(count) })),
        ...(days ? [{ value: days, label: text.between(dayOf(from), dayOf(to)) }] : []),
        { value: choose, label: text.otherDays },
      ],
    },
    // an entry offers it, about its own object
    ...(subject ? [{ id: 'subject', label: text.subjectFilter, values: [] }] : []),
  ]
  function dayOf(day: string | undefined): string {
    return day ? dayText(day, language) : '…'
  }
  return (
    <>
      <FilterBar
        fields={fields}
        filters={{
          ...(actorId && { actorId }),
          ...(operation && { operation }),
          ...(days && { days }),
          ...(subject && { subject }),
        }}
        onChange={filters => {
          const wanted = (['actorId', 'operation', 'days'] as const).find(field => filters[field] === choose)
          if (wanted) return setChosen(wanted)
          const [first, last] = filters.days?.split('..') ?? []
          onChange({
            actorId: filters.actorId,
            operation: filters.operation,
            subject: filters.subject,
            from: first || undefined,
            to: last || undefined,
          })
        }}
      />
      {chosen && (
        <ChooseFilterDialog chosen={chosen} onChange={onChange} onClose={() => setChosen(undefined)} />
      )}
    </>
  )
}

/** The periods that end today, in days. */
const lastDays = [1, 7, 30] as const

function daysUntilToday(count: number): string {
  const end = new Date(currentTime())
  const start = new Date(end.getFullYear(), end.getMonth(), end.getDate() - count + 1)
  return `${localDay(start)}..${localDay(end)}`
}

function localDay(time: Date): string {
  const month = String(time.getMonth() + 1).padStart(2, '0')
  return `${time.getFullYear()}-${month}-${String(time.getDate()).padStart(2, '0')}`
}
