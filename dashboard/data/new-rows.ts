import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import type { Route } from '#contract/route.ts'
import { useOrganization } from './organization.tsx'
import { keyOf } from './read.ts'

/** How many rows of each list wait to be shown; only of lists whose screen says so. */
const counts = new Map<string, number>()
const listeners = new Set<() => void>()

/**
 * How many rows others have added to a list since it was read. New rows do not move a list that somebody works
 * in: the screen says “3 new”, and `show` reads them.
 */
export function useNewRows(operation: Route): { count: number; show: () => void } {
  const { id } = useOrganization()
  const cache = useQueryClient()
  const queryKey = keyOf(id, operation)
  const name = JSON.stringify(queryKey)
  const count = useSyncExternalStore(subscribe, () => counts.get(name) ?? 0)
  useEffect(() => {
    counts.set(name, 0)
    return () => void counts.delete(name)
  }, [name])
  return {
    count,
    show: () => {
      counts.set(name, 0)
      notify()
      void cache.invalidateQueries({ queryKey })
    },
  }
}

/** Counts new rows of a list. False if no screen shows them, so that the list must be read anew. */
export function addNewRows(queryKey: readonly unknown[], count: number): boolean {
  const name = JSON.stringify(queryKey)
  const former = counts.get(name)
  if (former === undefined) return false
  counts.set(name, former + count)
  notify()
  return true
}

function notify(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
