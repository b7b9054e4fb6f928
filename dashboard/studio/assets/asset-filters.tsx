import { assetStatuses, assetTypes, visibilities } from '#contract/studio/assets.ts'
import { studioLimits } from '#contract/studio/limits.ts'
import { useOrganization } from '../../data/organization.tsx'
import { FilterBar, type FilterField } from '../../parts/filter-bar.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Total } from '../../parts/total.tsx'
import { useWords } from '../../words/words.ts'
import type { AssetItem } from './asset.ts'
import { assetTexts } from './asset.words.ts'
import { type AssetSearch, type AssetSearchChange, assetFiltersOf } from './asset-search.ts'
import { catalogueTexts } from './assets.words.ts'

const names = ['type', 'status', 'visibility', 'authorId', 'tag', 'collectionId'] as const

/** The search and the filters of the catalogue. Tags and authors are those of the rows that are shown. */
export function AssetFilterBar({
  search,
  items,
  total,
  onChange,
}: {
  search: AssetSearch
  items: readonly AssetItem[]
  total: number | undefined
  onChange: (change: AssetSearchChange) => void
}) {
  const text = useWords(catalogueTexts)
  const fields = useFilterFields(search, items)
  const chosen = names.flatMap(name => (search[name] === undefined ? [] : [[name, search[name]] as const]))
  return (
    <FilterBar
      fields={fields}
      filters={Object.fromEntries(chosen)}
      onChange={filters =>
        onChange({
          ...Object.fromEntries(names.map(name => [name, undefined])),
          ...assetFiltersOf(filters),
        })
      }
      start={
        <SearchField
          label={text.search}
          value={search.search ?? ''}
          maxLength={studioLimits.assetName}
          onChange={value => onChange({ search: value || undefined, orderBy: undefined })}
        />
      }
      end={total !== undefined && <Total count={total} label={text.total(total)} isLive />}
    />
  )
}

function useFilterFields(search: AssetSearch, items: readonly AssetItem[]): FilterField[] {
  const text = useWords(catalogueTexts)
  const fields = useWords(assetTexts)
  const { caller } = useOrganization()
  const tags = new Set([...(search.tag ? [search.tag] : []), ...items.flatMap(item => item.tags)])
  const authors = new Map(items.map(({ author }) => [author.id, author.name]))
  const { authorId } = search
  if (authorId && !authors.has(authorId)) authors.set(authorId, text.someone)
  authors.set(caller.person.id, text.me)
  const named = <Value extends 'DRAFT' | string>(values: readonly Value[]) =>
    values.map(value => ({ value, label: String(fields[value as keyof typeof fields]) }))
  return [
    { id: 'type', label: text.filterType, values: named(assetTypes) },
    { id: 'status', label: text.filterStatus, values: named(assetStatuses) },
    { id: 'visibility', label: text.filterVisibility, values: named(visibilities) },
    {
      id: 'authorId',
      label: text.filterAuthor,
      values: [...authors].map(([value, label]) => ({ value, label })).toSorted(byLabel),
    },
    {
      id: 'tag',
      label: text.filterTag,
      values: [...tags].map(value => ({ value, label: value })).toSorted(byLabel),
    },
    {
      id: 'collectionId',
      label: text.filterCollection,
      values: search.collectionId ? [{ value: search.collectionId, label: text.thisCollection }] : [],
    },
  ].filter(({ values }) => values.length > 0)
}

function byLabel(one: { label: string }, other: { label: string }): number {
  return one.label.localeCompare(other.label)
}
