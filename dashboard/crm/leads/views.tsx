import { useState } from 'react'
import { listSavedViews, type SavedView, updateSavedView } from '#contract/identity/views.ts'
import { textOfError } from '../../data/errors.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useAction, useRead } from '../../data/read.ts'
import { late } from '../../parts/late.tsx'
import type { MenuEntry } from '../../parts/menu.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { areSameFilters, type LeadFilters, type LeadSearch, leadFiltersOf, listHref } from './lead-search.ts'
import styles from './leads.module.css'
import { viewTexts } from './view.words.ts'

const SaveViewDialog = late(() => import('./view-dialogs.tsx').then(dialogs => dialogs.SaveViewDialog))
const RemoveViewDialog = late(() => import('./view-dialogs.tsx').then(dialogs => dialogs.RemoveViewDialog))

type OpenDialog = { kind: 'none' } | { kind: 'save' } | { kind: 'edit' | 'remove'; view: SavedView }

/** The views of the list as tabs: four of the product, then those that people saved. */
export function LeadViews({
  search,
  onChange,
}: {
  search: LeadSearch
  onChange: (change: { view: string | undefined }) => void
}) {
  const text = useWords(viewTexts)
  const language = useLanguage()
  const { address, caller } = useOrganization()
  const [open, setOpen] = useState<OpenDialog>({ kind: 'none' })
  const saved = useRead(listSavedViews, { query: { list: 'leads' } })
  const update = useAction(updateSavedView, { refreshes: [listSavedViews] })
  const filters = leadFiltersOf(search)
  const own: readonly { id: string; title: string; filters: LeadFilters }[] = [
    { id: 'all', title: text.all, filters: {} },
    { id: 'mine', title: text.mine, filters: { assigneeId: caller.person.id } },
    { id: 'unassigned', title: text.unassigned, filters: { assigneeId: 'none' } },
    { id: 'hot', title: text.hot, filters: { temperature: 'HOT' } },
  ]
  const view = saved.data?.items.find(({ id }) => id === search.view)
  const current = view?.id ?? own.find(one => areSameFilters(one.filters, filters))?.id ?? ''
  const close = () => setOpen({ kind: 'none' })

  const isChanged = view !== undefined && !areSameFilters(leadFiltersOf(view.filters), filters)
  const entries: MenuEntry[] = [
    ...(view?.mayChange
      ? [
          {
            id: 'replace',
            label: text.replace(view.name),
            icon: 'check' as const,
            isDisabled: !isChanged,
            onAction: () =>
              update.mutate(
                { params: { id: view.id }, body: { filters } },
                {
                  onSuccess: () => showToast({ text: text.saved(view.name) }),
                  onError: error => showToast({ kind: 'failed', text: textOfError(error, language) }),
                },
              ),
          },
        ]
      : []),
    { id: 'save', label: text.save, icon: 'plus', onAction: () => setOpen({ kind: 'save' }) },
    ...(view?.mayChange
      ? [
          {
            id: 'edit',
            label: text.edit(view.name),
            icon: 'edit' as const,
            onAction: () => setOpen({ kind: 'edit', view }),
          },
          {
            id: 'remove',
            label: text.remove(view.name),
            icon: 'trash' as const,
            isDangerous: true,
            onAction: () => setOpen({ kind: 'remove', view }),
          },
        ]
      : []),
  ]
  return (
    <div className={styles.views}>
      <Tabs
        label={text.label}
        current={current}
        tabs={[
          ...own.map(({ id, title, filters: shown }) => ({ id, title, href: listHref(address, shown) })),
          ...(saved.data?.items ?? []).map(({ id, name, filters: shown }) => ({
            id,
            title: name,
            href: listHref(address, { ...leadFiltersOf(shown), view: id }),
          })),
        ]}
      />
      <MoreMenu label={text.actions} size="small" groups={[{ id: 'views', entries }]} />
      {open.kind === 'save' && (
        <SaveViewDialog filters={filters} onClose={close} onSaved={id => onChange({ view: id })} />
      )}
      {open.kind === 'edit' && <SaveViewDialog view={open.view} filters={filters} onClose={close} />}
      {open.kind === 'remove' && (
        <RemoveViewDialog view={open.view} onClose={close} onRemoved={() => onChange({ view: undefined })} />
      )}
    </div>
  )
}
