import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  changeErrorGroups,
  listErrorGroups,
  listOrganizationErrors,
  readErrorGroup,
  readErrorTab,
  reopenErrorGroup,
  resolveErrorGroup,
  silenceErrorGroup,
} from '#contract/error-reports/tab.ts'
import { limits } from '#contract/limits.ts'
import type { Route } from '#contract/route.ts'
import { codeOf, needErrorTexts, textOfError } from '../../data/errors.ts'
import { patchRows } from '../../data/frames.patch.ts'
import { useOrganization } from '../../data/organization.tsx'
import { keyOf, readAgain, useAction } from '../../data/read.ts'
import { currentTime } from '../../parts/clock.ts'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { changedFields, type ErrorChange, undoOf } from './error.rules.ts'
import { type ErrorGroup, titleOf } from './error.ts'
import { errorChangeTexts } from './errors.words.ts'

export type ErrorChanges = {
  /** Changes errors: the screen shows it at once, and the person can undo it. */
  change: (errors: readonly ErrorGroup[], change: ErrorChange) => Promise<void>
  /** Reverses the last change; undefined without one. */
  undo: (() => void) | undefined
}
type Result = { id: string; changed: boolean }

const readsOfErrors: readonly Route[] = [listOrganizationErrors, listErrorGroups, readErrorGroup]
const shownCharacters = 60
const alreadyDone = {
  RESOLVE: 'ERROR_ALREADY_RESOLVED',
  SILENCE: 'ERROR_ALREADY_SILENCED',
  REOPEN: 'ERROR_ALREADY_OPEN',
} as const

/** Resolves, silences and reopens errors. */
export function useErrorChanges(): ErrorChanges {
  const text = useWords(errorChangeTexts)
  const language = useLanguage()
  const { id: organizationId } = useOrganization()
  const cache = useQueryClient()
  const send = useSendChange()
  const [undo, setUndo] = useState<() => void>()
  const reads = readsOfErrors.map(read => keyOf(organizationId, read))

  async function patch(
    errors: readonly ErrorGroup[],
    valuesOf: (error: ErrorGroup) => object,
  ): Promise<void> {
    // a reply on its way would bring the former state back
    await Promise.all(reads.map(queryKey => cache.cancelQueries({ queryKey })))
    for (const queryKey of reads)
      cache.setQueriesData({ queryKey }, (former: unknown) =>
        errors.reduce((reply, error) => patchRows(reply, error.id, { ...valuesOf(error) }), former),
      )
  }
  async function attempt(work: () => Promise<void>, restore: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      await needErrorTexts(language)
      await restore()
      showToast({ kind: 'failed', text: textOfError(error, language) })
    } finally {
      void readAgain(cache, ...reads, keyOf(organizationId, readErrorTab))
    }
  }
  function reverse(errors: readonly ErrorGroup[], done: ErrorChange): void {
    setUndo(undefined)
    const now = currentTime()
    void attempt(
      async () => {
        await patch(errors, stateOf)
        for (const { group, steps } of plansOf(errors, done))
          for (const step of steps) await send(group, step)
        showToast({ kind: 'info', text: text.undone })
      },
      () => patch(errors, () => changedFields(done, now)),
    )
  }
  async function change(errors: readonly ErrorGroup[], wanted: ErrorChange): Promise<void> {
    const now = currentTime()
    await attempt(
      async () => {
        await patch(errors, () => changedFields(wanted, now))
        const results = await send(errors, wanted)
        const refused = new Set(results.flatMap(({ id, changed }) => (changed ? [] : [id])))
        await patch(
          errors.filter(({ id }) => refused.has(id)),
          stateOf,
        )
        const done = errors.filter(({ id }) => !refused.has(id))
        const onPress = () => reverse(done, wanted)
        setUndo(() => (done.length > 0 ? onPress : undefined))
        showToast({
          text: sentence(done, refused.size, wanted),
          ...(done.length > 0 && { action: { label: text.undo, onPress } }),
        })
      },
      () => patch(errors, stateOf),
    )
  }
  function sentence(done: readonly ErrorGroup[], refused: number, { action }: ErrorChange): string {
    const [first] = done
    if (first && done.length === 1 && refused === 0) return text[action](shortTitleOf(first))
    return [text[`many${action}`](done.length), refused > 0 && text.unchanged(refused)]
      .filter(Boolean)
      .join(' ')
  }

  return { change, undo }
}

/** Sends a change of one error, or of many in as few calls as possible. */
function useSendChange(): (errors: readonly ErrorGroup[], change: ErrorChange) => Promise<Result[]> {
  const resolve = useAction(resolveErrorGroup, { refreshes: [] })
  const silence = useAction(silenceErrorGroup, { refreshes: [] })
  const reopen = useAction(reopenErrorGroup, { refreshes: [] })
  const many = useAction(changeErrorGroups, { refreshes: [] })

  function sendOne({ applicationId, id }: ErrorGroup, change: ErrorChange): Promise<unknown> {
    const params = { id: applicationId, errorId: id }
    if (change.action === 'RESOLVE')
      return resolve.mutateAsync({ params, body: { graceMinutes: change.graceMinutes ?? 0 } })
    if (change.action === 'SILENCE') return silence.mutateAsync({ params, body: change.silence })
    return reopen.mutateAsync({ params })
  }

  return async (errors, change) => {
    const [only] = errors
    if (only && errors.length === 1) {
      try {
        await sendOne(only, change)
      } catch (error) {
        // somebody else has brought it there meanwhile
        if (codeOf(error) !== alreadyDone[change.action]) throw error
      }
      return [{ id: only.id, changed: true }]
    }
    const results: Result[] = []
    for (let at = 0; at < errors.length; at += limits.errorsPerBulkChange) {
      const ids = errors.slice(at, at + limits.errorsPerBulkChange).map(({ id }) => id)
      results.push(...(await many.mutateAsync({ body: { ids, ...change } })).items)
    }
    return results
  }
}

/** Errors that were in the same state are changed back together. */
function plansOf(errors: readonly ErrorGroup[], done: ErrorChange) {
  const plans = Map.groupBy(errors, error => JSON.stringify(undoOf(error, done)))
  return [...plans].map(([steps, group]) => ({ group, steps: JSON.parse(steps) as ErrorChange[] }))
}

function stateOf(error: ErrorGroup) {
  const { state, resolved, resolvedAt, resolvedBy, silence, silencedAt, silencedUntil, silencedForCount } =
    error
  return { state, resolved, resolvedAt, resolvedBy, silence, silencedAt, silencedUntil, silencedForCount }
}

/** The title of an error, short enough for a toast or the title of a dialog. */
export function shortTitleOf(error: Pick<ErrorGroup, 'message'>): string {
  const title = titleOf(error)
  return title.length > shownCharacters ? `${title.slice(0, shownCharacters - 1)}…` : title
}
