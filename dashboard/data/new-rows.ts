import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Route } from '#contract/route.ts'
import { createStore, useStore } from '../parts/store.ts'
import { useOrganization } from './organization.tsx'
import { keyOf } from './read.ts'

/** The rows of each list that wait to be shown; only of lists whose screen says so. */
const waiting = createStore<ReadonlyMap<string, ReadonlySet<string>>>(new Map())
const none: ReadonlySet<string> = new Set()

/**
 * The ids of the rows that were added to a list since it was read, without those in `shown`, which the person
 * perhaps added. New rows do not move a list that somebody works in: the screen says “3 new”, and `show` reads them.
 */
export function useNewRows(
  operation: Route,
  shown: ReadonlySet<string>,
): { ids: readonly string[]; show: () => void } {
  const { id } = useOrganization()
  const cache = useQueryClient()
  const queryKey = keyOf(id, operation)
  const name = JSON.stringify(queryKey)
  const added = useStore(waiting).get(name) ?? none
  // an empty list has nothing that could move: it shows its first rows at once
  const isEmpty = shown.size === 0
  useEffect(() => {
    if (isEmpty) return
    setWaiting(name, none)
    return () => setWaiting(name, undefined)
  }, [name, isEmpty])
  return {
    ids: [...added].filter(row => !shown.has(row)),
    show: () => {
      setWaiting(name, none)
      void cache.invalidateQueries({ queryKey })
    },
  }
}

/** Notes new rows of a list. False if no screen shows them, so that the list must be read anew. */
export function addNewRows(queryKey: readonly unknown[], ids: readonly string[]): boolean {
  const name = JSON.stringify(queryKey)
  const former = waiting.get().get(name)
  if (former === undefined) return false
  setWaiting(name, new Set([...former, ...ids]))
  return true
}

/** Sets the new rows of a list; undefined when no screen shows it. */
function setWaiting(name: string, ids: ReadonlySet<string> | undefined): void {
  const changed = new Map(waiting.get())
  if (ids === undefined) changed.delete(name)
  else changed.set(name, ids)
  waiting.set(changed)
}
