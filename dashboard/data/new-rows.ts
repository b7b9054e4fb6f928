import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Route } from '#contract/route.ts'
import { createStore, useStore } from '../parts/store.ts'
import { useOrganization } from './organization.tsx'
import { keyOf } from './read.ts'

/** How many rows of each list wait to be shown; only of lists whose screen says so. */
const counts = createStore<ReadonlyMap<string, number>>(new Map())

/**
 * How many rows others have added to a list since it was read. New rows do not move a list that somebody works
 * in: the screen says “3 new”, and `show` reads them.
 */
export function useNewRows(operation: Route): { count: number; show: () => void } {
  const { id } = useOrganization()
  const cache = useQueryClient()
  const queryKey = keyOf(id, operation)
  const name = JSON.stringify(queryKey)
  const count = useStore(counts).get(name) ?? 0
  useEffect(() => {
    setCount(name, 0)
    return () => setCount(name, undefined)
  }, [name])
  return {
    count,
    show: () => {
      setCount(name, 0)
      void cache.invalidateQueries({ queryKey })
    },
  }
}

/** Counts new rows of a list. False if no screen shows them, so that the list must be read anew. */
export function addNewRows(queryKey: readonly unknown[], count: number): boolean {
  const name = JSON.stringify(queryKey)
  const former = counts.get().get(name)
  if (former === undefined) return false
  setCount(name, former + count)
  return true
}

/** Sets the count of a list; undefined when no screen shows it. */
function setCount(name: string, count: number | undefined): void {
  const changed = new Map(counts.get())
  if (count === undefined) changed.delete(name)
  else changed.set(name, count)
  counts.set(changed)
}
