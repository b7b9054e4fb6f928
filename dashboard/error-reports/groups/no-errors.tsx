import { listOrganizationErrors } from '#contract/error-reports/tab.ts'
import { useRead } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { EmptyList } from '../../parts/empty-list.tsx'
import { late } from '../../parts/late.tsx'
import { Skeleton } from '../../parts/states.tsx'
import { useWords } from '../../words/words.ts'
import { type ErrorSearch, isFiltered } from './error.rules.ts'
import type { ErrorSearchChange } from './error-filters.tsx'
import { errorListTexts, errorTexts } from './errors.words.ts'

const FirstReport = late(() => import('../reporting/first-report.tsx').then(part => part.FirstReport))

/** Replaces the list when no error fits: the filters go, or, if no error has ever arrived, the first one is reported. */
export function NoErrors({
  search,
  onChange,
}: {
  search: ErrorSearch
  onChange: (change: ErrorSearchChange) => void
}) {
  const text = useWords(errorListTexts)
  const words = useWords(errorTexts)
  const any = useRead(listOrganizationErrors, { query: { limit: 1 } })
  const clear = () =>
    onChange({
      state: 'ALL',
      severity: undefined,
      application: undefined,
      module: undefined,
      search: undefined,
      since: undefined,
    })
  if (any.isPending) return <Skeleton rows={3} label={words.reading} />
  if (any.data?.items.length === 0) return <FirstReport application={search.application} />
  return (
    <EmptyList
      isFiltered={isFiltered(search)}
      nothingFits={text.nothing}
      onClear={clear}
      title={text.nothingOpen}
      action={<Button onPress={clear}>{text.showAll}</Button>}
    >
      {text.nothingOpenAbout}
    </EmptyList>
  )
}
