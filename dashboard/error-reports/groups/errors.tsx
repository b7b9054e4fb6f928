import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { ListGrid } from '../../data/list-grid.tsx'
import { useOrganization } from '../../data/organization.tsx'
import { Button } from '../../parts/button.tsx'
import { useMinute } from '../../parts/clock.ts'
import { late } from '../../parts/late.tsx'
import { neighboursOf } from '../../parts/neighbours.ts'
import { countText } from '../../parts/number-text.ts'
import { Page } from '../../parts/page.tsx'
import { Selection } from '../../parts/selection.tsx'
import { WithSheet } from '../../parts/with-sheet.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { ErrorTabs } from '../error-tabs.tsx'
import { type ErrorGroupItem, titleOf } from './error.ts'
import { errorColumns } from './error-columns.tsx'
import type { ErrorDialog } from './error-dialog.ts'
import { ErrorDialogs } from './error-dialogs.tsx'
import { ErrorFilterBar, type ErrorSearchChange } from './error-filters.tsx'
import { errorChangeTexts, errorListTexts, errorTexts } from './errors.words.ts'
import { NoErrors } from './no-errors.tsx'
import { useErrorActions } from './use-error-actions.ts'
import { useErrorChanges } from './use-error-changes.ts'
import { useErrorKeys } from './use-error-keys.ts'
import { useErrors } from './use-errors.ts'

const ErrorSheet = late(() => import('./error-sheet.tsx').then(sheet => sheet.ErrorSheet))

/** The errors of all applications, or of one: the open ones first of all. */
export function Errors() {
  const words = useWords(errorTexts)
  const text = useWords(errorListTexts)
  const changeText = useWords(errorChangeTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const now = useMinute()
  const { address } = useOrganization()
  const search = useSearch({ from: '/o/$organization/errors' })
  const [dialog, setDialog] = useState<ErrorDialog>({ kind: 'none' })
  const { list, newCount, showNew } = useErrors(search)
  const { items } = list
  const changes = useErrorChanges()
  const base = `/o/${encodeURIComponent(address)}/errors`
  const actionsOf = useErrorActions(
    changes,
    setDialog,
    ({ ticketId, applicationId }) =>
      void navigate({ href: `${base}/tickets?application=${applicationId}&open=${ticketId}` }),
  )
  const isNarrow = search.open !== undefined
  const columns = useMemo(
    () =>
      errorColumns({ ...words, ...text }, language, now, {
        isNarrow,
        application: search.application === undefined,
        state: search.state === 'ALL',
      }),
    [words, text, language, now, isNarrow, search.application, search.state],
  )
  const change = (changed: ErrorSearchChange) =>
    void navigate({ to: '.', search: former => ({ ...former, ...changed }), replace: true })
  const openError = (id: string | undefined) => change({ open: id })
  const place = usePlace(items, search.open)
  const { keys, selection, select, selected, clear } = useErrorKeys(
    items,
    search,
    changes,
    actionsOf,
    setDialog,
  )

  return (
    <Page
      title={words.title}
      width="full"
      below={
        <>
          <ErrorTabs current="title" application={search.application} />
          <ErrorFilterBar search={search} errors={items} total={list.total} onChange={change} />
        </>
      }
    >
      <WithSheet
        sheet={
          search.open !== undefined && (
            <ErrorSheet
              key={search.open}
              id={search.open}
              listed={items.find(({ id }) => id === search.open)}
              changes={changes}
              onAsk={setDialog}
              pageHref={`${base}/${search.open}`}
              onClose={() => openError(undefined)}
              {...neighboursOf(place.rows, place.index, ({ id }) => openError(id))}
            />
          )
        }
      >
        <ListGrid
          label={words.title}
          columns={columns}
          list={list}
          rowKey={({ id }) => id}
          rowLabel={titleOf}
          rowHref={({ id }) => `${base}/${id}`}
          rowMenu={error => actionsOf(error)}
          onOpen={({ id }) => openError(id)}
          current={search.open}
          newCount={newCount}
          onShowNew={showNew}
          selection={selection}
          onSelect={select}
          empty={<NoErrors search={search} onChange={change} />}
        />
        <Selection count={selected.length} onClear={clear}>
          {keys.slice(0, 2).map(({ key, label, action }) => (
            <Button key={key} kind="quiet" shortcut={key} onPress={action}>
              {key === 'e' && search.state === 'RESOLVED' ? changeText.reopen : label}
            </Button>
          ))}
          {list.total !== undefined && selected.length === items.length && list.total > items.length && (
            <Button kind="quiet" onPress={() => setDialog({ kind: 'all', search })}>
              {text.all(countText(list.total, language))}
            </Button>
          )}
        </Selection>
      </WithSheet>
      <ErrorDialogs dialog={dialog} changes={changes} onClose={() => setDialog({ kind: 'none' })} />
    </Page>
  )
}

/** The rows around the open error; one that has just left the list keeps its place between its neighbours. */
function usePlace(items: readonly ErrorGroupItem[], open: string | undefined) {
  const [last, setLast] = useState<{ id: string; index: number }>()
  const index = items.findIndex(({ id }) => id === open)
  if (open !== undefined && index !== -1 && (last?.id !== open || last.index !== index))
    setLast({ id: open, index })
  if (index !== -1 || last === undefined || last.id !== open) return { rows: items, index }
  const gone = { id: last.id }
  return { rows: [...items.slice(0, last.index), gone, ...items.slice(last.index)], index: last.index }
}
