import { useMemo, useState } from 'react'
import { type Collection, updateCollection } from '#contract/studio/collections.ts'
import { textOfError } from '../../data/errors.ts'
import { useMay } from '../../data/organization.tsx'
import type { Shortcuts } from '../../data/shortcuts.ts'
import { Button } from '../../parts/button.tsx'
import type { MenuEntry } from '../../parts/menu.tsx'
import { MovableTree } from '../../parts/movable-tree.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { Tree, type TreeNode } from '../../parts/tree.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { obstacleToMove, pathText, topId, treeOf } from './collection.rules.ts'
import styles from './collections.module.css'
import { collectionTexts } from './collections.words.ts'
import { useCollectionHref, type useCollections } from './use-collections.ts'

/** From this number on, a field finds a collection by its name. */
const mostWithoutFilter = 12

/** The tree of collections: links, which a person drags into each other or moves with `m`. */
export function CollectionTree({
  list,
  current,
  homeHref,
  entriesOf,
  keysOf,
  onMove,
}: {
  list: ReturnType<typeof useCollections>
  current: string | undefined
  homeHref: string
  entriesOf: (collection: Collection) => readonly MenuEntry[]
  keysOf: (collection: Collection) => Shortcuts
  onMove: (moved: Collection, into: Collection | null) => void
}) {
  const text = useWords(collectionTexts)
  const language = useLanguage()
  const may = useMay()
  const hrefOf = useCollectionHref()
  const [filter, setFilter] = useState('')
  const { items, isLoading, error } = list
  const byId = useMemo(() => new Map(items.map(one => [one.id, one])), [items])
  const nodes = useMemo((): TreeNode[] => {
    const wanted = filter.trim().toLocaleLowerCase()
    if (wanted !== '')
      return items
        .filter(one => pathText(one).toLocaleLowerCase().includes(wanted))
        .map(one => ({ id: one.id, label: pathText(one), icon: 'collections', href: hrefOf(one.id) }))
    return [{ id: topId, label: text.all, icon: 'home', href: homeHref }, ...treeOf(items, hrefOf)]
  }, [items, filter, text, homeHref, hrefOf])
  if (error) return <Problem title={textOfError(error, language)} action={<Again reload={list.reload} />} />
  const tree = {
    label: text.title,
    nodes,
    current: current ?? topId,
    menuOf: (id: string) => {
      const collection = byId.get(id)
      return collection ? entriesOf(collection) : []
    },
    keys: Object.fromEntries(
      ['e', 'm'].map(key => [
        key,
        (id: string) => {
          const collection = byId.get(id)
          if (collection) keysOf(collection)[key]?.action()
        },
      ]),
    ),
  }
  const placeOf = (id: string) => (id === topId ? null : byId.get(id))
  return (
    <nav className={styles.side} aria-label={text.title}>
      {items.length > mostWithoutFilter && (
        <div className={styles.filter}>
          <SearchField label={text.filter} value={filter} onChange={setFilter} />
        </div>
      )}
      {isLoading ? (
        <Skeleton rows={6} label={text.reading} />
      ) : may(updateCollection) && filter === '' ? (
        <MovableTree
          {...tree}
          canMove={(id, into) => {
            const [moved, place] = [byId.get(id), placeOf(into)]
            return moved !== undefined && place !== undefined && !obstacleToMove(items, moved, place)
          }}
          onMove={(id, into) => {
            const [moved, place] = [byId.get(id), placeOf(into)]
            if (moved && place !== undefined) onMove(moved, place)
          }}
        />
      ) : (
        <Tree {...tree} />
      )}
      {nodes.length === 0 && <p className={styles.quiet}>{text.nothingFits}</p>}
      {list.hasMore && !list.isLoadingMore && (
        <p className={styles.quiet}>
          {text.partial}{' '}
          <Button size="small" onPress={list.loadMore}>
            {text.more}
          </Button>
        </p>
      )}
    </nav>
  )
}

function Again({ reload }: { reload: () => void }) {
  const { again } = useWords(collectionTexts)
  return <Button onPress={reload}>{again}</Button>
}
