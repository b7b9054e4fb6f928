import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import {
  categories,
  type EntryItem,
  type EntrySort,
  entrySorts,
  listEntries,
} from '#contract/marketplace/entries.ts'
import { assetTypes } from '#contract/studio/assets.ts'
import { ListGrid } from '../../data/list-grid.tsx'
import { useOrganization } from '../../data/organization.tsx'
import { useList } from '../../data/read.ts'
import { Choice } from '../../parts/choice.tsx'
import { EmptyList } from '../../parts/empty-list.tsx'
import { FilterBar, type Filters } from '../../parts/filter-bar.tsx'
import { late } from '../../parts/late.tsx'
import { neighboursOf } from '../../parts/neighbours.ts'
import { Page } from '../../parts/page.tsx'
import { useIsPhone } from '../../parts/phone.ts'
import { SearchField } from '../../parts/search-field.tsx'
import { Total } from '../../parts/total.tsx'
import { WithSheet } from '../../parts/with-sheet.tsx'
import { useWords } from '../../words/words.ts'
import { MarketTabs, WithMarketplace } from '../market-page.tsx'
import { marketTexts } from '../marketplace.words.ts'
import styles from './entries.module.css'
import { entryTexts } from './entry.words.ts'
import { entryColumns } from './entry-columns.tsx'
import { type EntrySearch, entryInputOf, entrySortOf } from './entry-search.ts'

const EntrySheet = late(() => import('./entry-sheet.tsx').then(sheet => sheet.EntrySheet))
type Change = { [Key in keyof EntrySearch]?: EntrySearch[Key] | undefined }

/** The catalogue: entries that the organizations of this server share with each other. */
export function Catalogue() {
  return <WithMarketplace>{() => <Entries />}</WithMarketplace>
}

function Entries() {
  const text = useWords(entryTexts)
  const market = useWords(marketTexts)
  const navigate = useNavigate()
  const { address } = useOrganization()
  const search = useSearch({ from: '/o/$organization/marketplace' })
  const list = useList(listEntries, entryInputOf(search))
  const change = (changed: Change) =>
    void navigate({ to: '.', search: former => ({ ...former, ...changed }), replace: true })
  const hrefOf = ({ id }: Pick<EntryItem, 'id'>) => `/o/${encodeURIComponent(address)}/marketplace/${id}`
  const isNarrow = search.open !== undefined
  const isPhone = useIsPhone()
  const columns = useMemo(() => entryColumns(market, text, isNarrow), [market, text, isNarrow])
  const index = list.items.findIndex(({ id }) => id === search.open)
  const isFiltered = Boolean(search.search || search.type || search.category || search.featured)
  return (
    <Page
      title={market.title}
      width="full"
      below={
        <>
          <MarketTabs current="catalogue" />
          <CatalogueFilters search={search} onChange={change} total={list.total} />
        </>
      }
    >
      <WithSheet
        sheet={
          search.open !== undefined && (
            <EntrySheet
              key={search.open}
              id={search.open}
              pageHref={hrefOf({ id: search.open })}
              onClose={() => change({ open: undefined })}
              {...neighboursOf(list.items, index, ({ id }) => change({ open: id }))}
            />
          )
        }
      >
        <ListGrid
          label={market.catalogue}
          columns={columns}
          list={list}
          rowKey={({ id }) => id}
          rowLabel={({ name }) => name}
          rowHref={hrefOf}
          onOpen={({ id }) => change({ open: id })}
          current={search.open}
          // on a phone the field above the list has every order
          {...(!isPhone && {
            sort: entrySortOf(search),
            onSort: (sort: string) => change({ sort: sort as EntrySort }),
          })}
          empty={
            <EmptyList
              isFiltered={isFiltered}
              nothingFits={market.nothing}
              onClear={() => void navigate({ to: '.', search: {} })}
              title={text.empty}
            >
              {text.emptyAbout}
            </EmptyList>
          }
        />
      </WithSheet>
    </Page>
  )
}

function CatalogueFilters({
  search,
  onChange,
  total,
}: {
  search: EntrySearch
  onChange: (change: Change) => void
  total: number | undefined
}) {
  const text = useWords(entryTexts)
  const market = useWords(marketTexts)
  const orders = entrySorts.filter(one => one !== 'RELEVANCE' || Boolean(search.search))
  const filters: Filters = {
    ...(search.type && { type: search.type }),
    ...(search.category && { category: search.category }),
    ...(search.featured && { featured: 'yes' }),
  }
  return (
    <FilterBar
      fields={[
        {
          id: 'type',
          label: market.typeFilter,
          values: assetTypes.map(value => ({ value, label: market[value] })),
        },
        {
          id: 'category',
          label: market.categoryFilter,
          values: categories.map(value => ({ value, label: market[value] })),
        },
        { id: 'featured', label: text.featuredFilter, values: [{ value: 'yes', label: text.yes }] },
      ]}
      filters={filters}
      onChange={({ type, category, featured }) =>
        onChange({
          type: assetTypes.find(one => one === type),
          category: categories.find(one => one === category),
          featured: featured ? true : undefined,
        })
      }
      start={
        <SearchField
          label={text.search}
          value={search.search ?? ''}
          onChange={value => onChange({ search: value || undefined, sort: undefined })}
        />
      }
      end={
        <>
          {total !== undefined && <Total count={total} label={text.total(total)} />}
          <div className={styles.order}>
            <Choice
              label={text.order}
              isLabelHidden
              value={entrySortOf(search)}
              onChange={sort => onChange({ sort })}
              options={orders.map(value => ({ value, label: text[value] }))}
            />
          </div>
        </>
      }
    />
  )
}
