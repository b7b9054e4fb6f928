import { useOrganization } from '../../data/organization.tsx'
import { SavedViews } from '../../data/saved-views.tsx'
import { useWords } from '../../words/words.ts'
import { type AssetSearch, assetFiltersOf, filteredHref } from './asset-search.ts'
import { catalogueTexts } from './assets.words.ts'

/** The views of the catalogue as tabs: five of the product, then those that people saved. */
export function AssetViews({
  search,
  onView,
}: {
  search: AssetSearch
  onView: (id: string | undefined) => void
}) {
  const text = useWords(catalogueTexts)
  const { address, caller } = useOrganization()
  return (
    <SavedViews
      list="assets"
      own={[
        { id: 'all', title: text.all, filters: {} },
        { id: 'mine', title: text.mine, filters: { authorId: caller.person.id } },
        { id: 'drafts', title: text.drafts, filters: { status: 'DRAFT' } },
        { id: 'popular', title: text.popular, filters: { orderBy: 'popular' } },
        { id: 'archived', title: text.archived, filters: { status: 'ARCHIVED' } },
      ]}
      filters={assetFiltersOf(search)}
      view={search.view}
      filtersOf={assetFiltersOf}
      hrefOf={shown => filteredHref(address, shown)}
      onView={onView}
    />
  )
}
