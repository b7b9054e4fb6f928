import { useOrganization } from '../../data/organization.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useWords } from '../../words/words.ts'
import {
  type AssetFilters,
  type AssetSearch,
  areSameFilters,
  assetFiltersOf,
  filteredHref,
} from './asset-search.ts'
import { catalogueTexts } from './assets.words.ts'

/** The views of the catalogue as tabs: sets of filters that people need often. */
export function AssetViews({ search }: { search: AssetSearch }) {
  const text = useWords(catalogueTexts)
  const { address, caller } = useOrganization()
  const views: readonly { id: string; title: string; filters: AssetFilters }[] = [
    { id: 'all', title: text.all, filters: {} },
    { id: 'mine', title: text.mine, filters: { authorId: caller.person.id } },
    { id: 'drafts', title: text.drafts, filters: { status: 'DRAFT' } },
    { id: 'popular', title: text.popular, filters: { orderBy: 'popular' } },
    { id: 'archived', title: text.archived, filters: { status: 'ARCHIVED' } },
  ]
  const filters = assetFiltersOf(search)
  return (
    <Tabs
      label={text.views}
      current={views.find(view => areSameFilters(view.filters, filters))?.id ?? ''}
      tabs={views.map(({ id, title, filters: shown }) => ({ id, title, href: filteredHref(address, shown) }))}
    />
  )
}
