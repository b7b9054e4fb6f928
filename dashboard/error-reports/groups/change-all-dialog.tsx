import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { changeErrorGroups } from '#contract/error-reports/tab.ts'
import { limits } from '#contract/limits.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { useOrganization } from '../../data/organization.tsx'
import { useAction } from '../../data/read.ts'
import { currentTime } from '../../parts/clock.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { countText } from '../../parts/number-text.ts'
import { RadioGroup } from '../../parts/radio-group.tsx'
import { Notice, Skeleton } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { changeDialogTexts } from './change-dialogs.words.ts'
import { type ErrorAction, type ErrorSearch, errorFiltersOf } from './error.rules.ts'
import { errorChangeTexts } from './errors.words.ts'

/** The actions that can change errors of the listed states. */
const actionsOf: Readonly<
  Record<NonNullable<ErrorSearch['state']>, readonly [ErrorAction, ...ErrorAction[]]>
> = {
  UNRESOLVED: ['RESOLVE', 'SILENCE'],
  SILENCED: ['RESOLVE', 'REOPEN'],
  RESOLVED: ['REOPEN'],
  ALL: ['RESOLVE', 'SILENCE', 'REOPEN'],
}

/** Changes all errors that the filters of the list find (GRP-22), also those that no page has loaded, after counting them. */
export function ChangeAllDialog({ search, onClose }: { search: ErrorSearch; onClose: () => void }) {
  const text = useWords(changeDialogTexts)
  const language = useLanguage()
  const actions = actionsOf[search.state ?? 'UNRESOLVED']
  const [action, setAction] = useState<ErrorAction>(actions[0])
  const { matched, send } = useChangeAll(search, action)
  const count = countText(matched ?? 0, language)
  async function submit(): Promise<void> {
    await send()
    onClose()
  }
  return (
    <Dialog title={text.allTitle} isOpen onClose={onClose} size="small">
      <ActionForm onSubmit={submit}>
        {({ isBusy }) => (
          <>
            <RadioGroup
              label={text.allAction}
              value={action}
              onChange={setAction}
              options={actions.map(value => ({
                value,
                label: text[value],
                ...(value === 'SILENCE' && { hint: text.SILENCEhint }),
              }))}
            />
            {matched === undefined && <Skeleton rows={1} label={text.counting} />}
            {matched === 0 && <Notice>{text.none}</Notice>}
            {matched !== undefined && matched > 0 && (
              <p>
                {count} {text.matched(matched)}.
              </p>
            )}
            <FormActions
              onLeave={onClose}
              action={matched ? text[`${action}count`](count) : text[action]}
              isBusy={isBusy}
              isDisabled={!matched}
            />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

/** Counts what an action changes, and changes it: the server takes so many in a call that it is called again. */
function useChangeAll(search: ErrorSearch, action: ErrorAction) {
  const text = useWords(errorChangeTexts)
  const { id: organizationId } = useOrganization()
  const cache = useQueryClient()
  const { mutateAsync: call } = useAction(changeErrorGroups, { refreshes: [] })
  const [counted, setCounted] = useState<{ action: ErrorAction; matched: number }>()
  const { application } = search
  const [filter] = useState({
    ...errorFiltersOf(search, currentTime()),
    ...(application && { applicationId: application }),
  })
  const body = { action, filter, ...(action === 'SILENCE' && { silence: { type: 'FOREVER' as const } }) }
  const wanted = JSON.stringify(body)

  useEffect(() => {
    let isCurrent = true
    const counting = call({ body: { ...(JSON.parse(wanted) as typeof body), dryRun: true } })
    counting.then(
      ({ matched }) => isCurrent && setCounted({ action, matched }),
      () => isCurrent && setCounted({ action, matched: 0 }),
    )
    return () => {
      isCurrent = false
    }
  }, [call, wanted, action])

  async function undo(ids: readonly string[]): Promise<void> {
    for (let at = 0; at < ids.length; at += limits.errorsPerBulkChange)
      await call({ body: { action: 'REOPEN', ids: ids.slice(at, at + limits.errorsPerBulkChange) } })
    await cache.invalidateQueries({ queryKey: [organizationId, changeErrorGroups.area] })
    showToast({ kind: 'info', text: text.undone })
  }
  async function send(): Promise<void> {
    const ids: string[] = []
    for (let isMore = true; isMore; ) {
      const { items, matched, changed } = await call({ body })
      ids.push(...items.flatMap(item => (item.changed ? [item.id] : [])))
      isMore = changed > 0 && matched > changed
    }
    await cache.invalidateQueries({ queryKey: [organizationId, changeErrorGroups.area] })
    // all of them were open
    const canUndo = action === 'SILENCE' || (action === 'RESOLVE' && filter.state === 'UNRESOLVED')
    showToast({
      text: text[`many${action}`](ids.length),
      ...(canUndo && { action: { label: text.undo, onPress: () => void undo(ids) } }),
    })
  }

  return { matched: counted?.action === action ? counted.matched : undefined, send }
}
