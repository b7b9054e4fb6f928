import { useCallback, useEffect } from 'react'
import type { Route } from '#contract/route.ts'
import { createStore, useStore } from '../parts/store.ts'
import { draftKeyOf } from './drafts.rules.ts'
import { readDrafts, removeDraft, writeDraft } from './drafts-store.ts'
import { useOrganization } from './organization.tsx'
import { onSignOut } from './tabs.ts'

type Row = Record<string, unknown> & { key: string }
type KeptRows = { isLoaded: boolean; items: readonly Row[] }

const none: KeptRows = { isLoaded: false, items: [] }
const kept = createStore<ReadonlyMap<string, KeptRows>>(new Map())
onSignOut(() => kept.set(new Map()))

/**
 * Inputs of an operation that were not sent yet, several of them: they survive a reload like the draft of a form, and go
 * when the person signs out (DSH-8).
 */
export function useKeptRows<Kept extends Row>(operation: Route, objectId: string) {
  const { id, caller } = useOrganization()
  const prefix = draftKeyOf(caller.person.id, id, operation, `${objectId} `).replace(/"\]$/, '')
  const { isLoaded, items } = useStore(kept).get(prefix) ?? none
  useEffect(() => {
    if (isLoaded) return
    void readDrafts(prefix).then(drafts => {
      const former = kept.get().get(prefix) ?? none
      const known = new Set(former.items.map(({ key }) => key))
      const read = drafts.map(({ values }) => values as Row).filter(({ key }) => !known.has(key))
      change(prefix, { isLoaded: true, items: [...read, ...former.items] })
    })
  }, [isLoaded, prefix])
  const put = useCallback(
    (row: Kept) => {
      const former = kept.get().get(prefix) ?? none
      change(prefix, { ...former, items: [...former.items.filter(({ key }) => key !== row.key), row] })
      void writeDraft(`${prefix}${row.key}`, row)
    },
    [prefix],
  )
  const remove = useCallback(
    (key: string) => {
      const former = kept.get().get(prefix) ?? none
      change(prefix, { ...former, items: former.items.filter(row => row.key !== key) })
      void removeDraft(`${prefix}${key}`)
    },
    [prefix],
  )
  return { isLoaded, items: items as readonly Kept[], put, remove }
}

function change(prefix: string, rows: KeptRows): void {
  kept.set(new Map(kept.get()).set(prefix, rows))
}
