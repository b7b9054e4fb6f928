import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { Link } from 'react-aria-components'
import { type AssetItem, assetStatuses, assetTypes } from '#contract/studio/assets.ts'
import {
  addToCollection,
  type Collection,
  listCollectionAssets,
  removeFromCollection,
} from '#contract/studio/collections.ts'
import { ListGrid } from '../../data/list-grid.tsx'
import { useMay } from '../../data/organization.tsx'
import { useList } from '../../data/read.ts'
import { useShortcuts } from '../../data/shortcuts.ts'
import { Button } from '../../parts/button.tsx'
import { EmptyList } from '../../parts/empty-list.tsx'
import { FilterBar, type FilterBarProps } from '../../parts/filter-bar.tsx'
import { late } from '../../parts/late.tsx'
import type { MenuEntry } from '../../parts/menu.tsx'
import { Selection } from '../../parts/selection.tsx'
import { Total } from '../../parts/total.tsx'
import { useWords } from '../../words/words.ts'
import { useAssetHref } from '../asset-href.ts'
import { assetTexts } from '../assets/asset.words.ts'
import { assetColumns } from '../assets/asset-columns.tsx'
import { type CollectionSearch, collectionInputOf, collectionSearchOf } from './collection-search.ts'
import styles from './collections.module.css'
import { collectionTexts } from './collections.words.ts'
import { useFiling } from './use-filing.ts'

const AddToCollectionDialog = late(() =>
  import('./filing-dialogs.tsx').then(dialogs => dialogs.AddToCollectionDialog),
)

/** The assets of a collection that the person may read. */
export function CollectionAssets({
  collection,
  hrefOf,
  homeHref,
  onAdd,
}: {
  collection: Collection
  hrefOf: (id: string) => string
  homeHref: string
  onAdd: (() => void) | undefined
}) {
  const text = useWords(collectionTexts)
  const values = useWords(assetTexts)
  const may = useMay()
  const navigate = useNavigate()
  const search = collectionSearchOf(useSearch({ strict: false }))
  const list = useList(listCollectionAssets, collectionInputOf(collection.id, search))
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set())
  const assetHref = useAssetHref()
  const columns = useMemo(() => assetColumns(values, true), [values])
  const selected = list.items.filter(({ id }) => selection.has(id))
  const change = (next: CollectionSearch) =>
    void navigate({ to: hrefOf(collection.id), search: next, replace: true })
  const clear = () => setSelection(new Set())
  const { filing, removing, menuOf, dialog } = useAssetFiling(collection, selected, clear)
  const { orderBy, ...filters } = search
  const isFiltered = Object.keys(filters).length > 0
  return (
    <>
      <CollectionHead collection={collection} hrefOf={hrefOf} homeHref={homeHref} />
      <CollectionFilters
        filters={filters}
        total={list.total}
        onChange={given => change(collectionSearchOf({ ...given, orderBy }))}
      />
      <div className={styles.grid}>
        <ListGrid
          label={text.assets}
          columns={columns}
          list={list}
          {...(orderBy && { sort: orderBy })}
          onSort={sort => change(collectionSearchOf({ ...search, orderBy: sort }))}
          rowKey={({ id }) => id}
          rowLabel={({ name }) => name}
          rowHref={({ id }) => assetHref(id)}
          onOpen={({ id }) => void navigate({ to: assetHref(id) })}
          {...((may(removeFromCollection) || may(addToCollection)) && { selection, onSelect: setSelection })}
          rowMenu={menuOf}
          empty={
            <EmptyList
              isFiltered={isFiltered}
              nothingFits={text.nothing}
              onClear={() => change({})}
              title={text.noAssets}
              action={onAdd && <Button onPress={onAdd}>{text.addAssets}</Button>}
            >
              {text.noAssetsAbout}
            </EmptyList>
          }
        />
        <Selection count={selected.length} onClear={clear}>
          {filing && (
            <Button kind="quiet" shortcut="a" onPress={filing}>
              {text.fileElsewhere}
            </Button>
          )}
          {removing && (
            <Button kind="quiet" shortcut="r" onPress={removing}>
              {text.takeOut}
            </Button>
          )}
        </Selection>
      </div>
      {dialog}
    </>
  )
}

/**
 * The actions on assets of a collection: taking them out, and filing them in other ones. Keys and buttons act on the selected assets, and
 * a menu on its own.
 */
function useAssetFiling(collection: Collection, selected: readonly AssetItem[], clearSelection: () => void) {
  const text = useWords(collectionTexts)
  const may = useMay()
  const { takeOut } = useFiling()
  const [filed, setFiled] = useState<readonly AssetItem[]>()
  function remove(assets: readonly AssetItem[]): void {
    clearSelection()
    void takeOut(assets, collection)
  }
  function menuOf(asset: AssetItem): MenuEntry[] {
    const entries: (MenuEntry | false)[] = [
      may(addToCollection) && {
        id: 'file',
        label: text.fileElsewhere,
        icon: 'collections',
        onAction: () => setFiled([asset]),
      },
      may(removeFromCollection) && {
        id: 'remove',
        label: text.takeOut,
        icon: 'minus',
        onAction: () => remove([asset]),
      },
    ]
    return entries.filter(entry => entry !== false)
  }
  const hasSelection = selected.length > 0
  const removing = may(removeFromCollection) && hasSelection ? () => remove(selected) : undefined
  const filing = may(addToCollection) && hasSelection ? () => setFiled(selected) : undefined
  useShortcuts(
    {
      r: removing && { label: text.takeOut, action: removing },
      ...(filing && { a: { label: text.fileElsewhere, action: filing } }),
    },
    text.assets,
  )
  function close(): void {
    setFiled(undefined)
    clearSelection()
  }
  return {
    filing,
    removing,
    menuOf,
    dialog: filed && <AddToCollectionDialog assets={filed} onClose={close} />,
  }
}

/** The filters of the list by type and status, and how many assets it has. */
function CollectionFilters({
  filters,
  total,
  onChange,
}: Pick<FilterBarProps, 'filters' | 'onChange'> & { total: number | undefined }) {
  const text = useWords(collectionTexts)
  const values = useWords(assetTexts)
  return (
    <FilterBar
      fields={[
        {
          id: 'type',
          label: text.typeFilter,
          values: assetTypes.map(value => ({ value, label: values[value] })),
        },
        {
          id: 'status',
          label: text.statusFilter,
          values: assetStatuses.map(value => ({ value, label: values[value] })),
        },
      ]}
      filters={filters}
      onChange={onChange}
      end={total !== undefined && <Total count={total} label={text.total(total)} />}
    />
  )
}

/** Where the collection is, and what it is for. */
function CollectionHead({
  collection,
  hrefOf,
  homeHref,
}: {
  collection: Collection
  hrefOf: (id: string) => string
  homeHref: string
}) {
  const text = useWords(collectionTexts)
  const above = collection.path.filter(({ id }) => id !== collection.id)
  return (
    <header className={styles.head}>
      <nav aria-label={text.all} className={styles.path}>
        <Link href={homeHref}>{text.title}</Link>
        {above.map(({ id, name }) => (
          <Link key={id} href={hrefOf(id)}>
            {name}
          </Link>
        ))}
      </nav>
      {collection.description && <p className={styles.description}>{collection.description}</p>}
    </header>
  )
}
