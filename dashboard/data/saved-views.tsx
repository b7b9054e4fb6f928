import { useState } from 'react'
import { listSavedViews, type SavedView, updateSavedView, type ViewList } from '#contract/identity/views.ts'
import { late } from '../parts/late.tsx'
import type { MenuEntry } from '../parts/menu.tsx'
import { MoreMenu } from '../parts/more-menu.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { useWords } from '../words/words.ts'
import { useAction, useRead } from './read.ts'
import styles from './saved-views.module.css'
import { areSameFilters, type ListFilters, textsIn } from './saved-views.rules.ts'
import { savedViewTexts } from './saved-views.words.ts'

const SaveViewDialog = late(() => import('./saved-view-dialogs.tsx').then(dialogs => dialogs.SaveViewDialog))
const RemoveViewDialog = late(() =>
  import('./saved-view-dialogs.tsx').then(dialogs => dialogs.RemoveViewDialog),
)

/** A view that the product has: a set of filters that people need often. */
export type ProductView = { id: string; title: string; filters: object }
type OpenDialog = { kind: 'none' } | { kind: 'save' } | { kind: 'edit' | 'remove'; view: SavedView }

export type SavedViewsProps = {
  list: ViewList
  /** The views of the product, before those that people saved. */
  own: readonly ProductView[]
  /** The filters of the address, and the id of the saved view that they come from. */
  filters: object
  view: string | undefined
  /** The filters in a saved view, without what is not one. */
  filtersOf: (saved: Readonly<Record<string, unknown>>) => object
  hrefOf: (search: object) => string
  /** A view was saved or removed. */
  onView: (id: string | undefined) => void
}

/** The views of a list as tabs: those of the product, then those that people saved (VIEW-1). */
export function SavedViews({ list, own, filters, view: viewId, filtersOf, hrefOf, onView }: SavedViewsProps) {
  const text = useWords(savedViewTexts)
  const [open, setOpen] = useState<OpenDialog>({ kind: 'none' })
  const saved = useRead(listSavedViews, { query: { list } })
  const replace = useReplacement()
  const view = saved.data?.items.find(({ id }) => id === viewId)
  const current = view?.id ?? own.find(one => areSameFilters(one.filters, filters))?.id ?? ''
  const close = () => setOpen({ kind: 'none' })
  const chosen = textsIn(filters)

  const isChanged = view !== undefined && !areSameFilters(filtersOf(view.filters), filters)
  const changes: MenuEntry[] = view?.mayChange
    ? [
        {
          id: 'replace',
          label: text.replace(view.name),
          icon: 'check',
          isDisabled: !isChanged,
          onAction: () => replace(view, chosen),
        },
        {
          id: 'edit',
          label: text.edit(view.name),
          icon: 'edit',
          onAction: () => setOpen({ kind: 'edit', view }),
        },
        {
          id: 'remove',
          label: text.remove(view.name),
          icon: 'trash',
          isDangerous: true,
          onAction: () => setOpen({ kind: 'remove', view }),
        },
      ]
    : []
  const save: MenuEntry = {
    id: 'save',
    label: text.save,
    icon: 'plus',
    onAction: () => setOpen({ kind: 'save' }),
  }
  return (
    <div className={styles.views}>
      <Tabs
        label={text.label}
        current={current}
        tabs={[
          ...own.map(({ id, title, filters: shown }) => ({ id, title, href: hrefOf(shown) })),
          ...(saved.data?.items ?? []).map(({ id, name, filters: shown }) => ({
            id,
            title: name,
            href: hrefOf({ ...filtersOf(shown), view: id }),
          })),
        ]}
      />
      <MoreMenu
        label={text.actions}
        size="small"
        groups={[{ id: 'views', entries: [...changes.slice(0, 1), save, ...changes.slice(1)] }]}
      />
      {open.kind === 'save' && (
        <SaveViewDialog list={list} filters={chosen} onClose={close} onSaved={id => onView(id)} />
      )}
      {open.kind === 'edit' && (
        <SaveViewDialog list={list} view={open.view} filters={chosen} onClose={close} />
      )}
      {open.kind === 'remove' && (
        <RemoveViewDialog view={open.view} onClose={close} onRemoved={() => onView(undefined)} />
      )}
    </div>
  )
}

/** Stores the filters of the address in a view. */
function useReplacement(): (view: SavedView, filters: ListFilters) => void {
  const text = useWords(savedViewTexts)
  const update = useAction(updateSavedView, { refreshes: [listSavedViews] })
  return (view, filters) =>
    update.mutate(
      { params: { id: view.id }, body: { filters } },
      {
        toast: () => text.saved(view.name),
        toastsFailure: true,
      },
    )
}
