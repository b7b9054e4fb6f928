import { useOrganization } from '../../data/organization.tsx'
import { SavedViews } from '../../data/saved-views.tsx'
import { useWords } from '../../words/words.ts'
import { type LeadSearch, leadFiltersOf } from './lead-search.ts'
import { viewTexts } from './view.words.ts'

/** The views of the list or the board as tabs: four of the product, then those that people saved. */
export function LeadViews({
  search,
  hrefOf,
  onChange,
}: {
  search: LeadSearch
  /** The address of the screen with these filters. */
  hrefOf: (search: LeadSearch) => string
  onChange: (change: { view: string | undefined }) => void
}) {
  const text = useWords(viewTexts)
  const { caller } = useOrganization()
  return (
    <SavedViews
      list="leads"
      own={[
        { id: 'all', title: text.all, filters: {} },
        { id: 'mine', title: text.mine, filters: { assigneeId: caller.person.id } },
        { id: 'unassigned', title: text.unassigned, filters: { assigneeId: 'none' } },
        { id: 'hot', title: text.hot, filters: { temperature: 'HOT' } },
      ]}
      filters={leadFiltersOf(search)}
      view={search.view}
      filtersOf={leadFiltersOf}
      hrefOf={hrefOf}
      onView={view => onChange({ view })}
    />
  )
}
