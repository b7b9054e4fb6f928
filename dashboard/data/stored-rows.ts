import { useCallback, useEffect } from 'react'
import type { Route } from '#contract/route.ts'
import { createStore, useStore } from '../parts/store.ts'
import { draftKeyOf } from './drafts.rules.ts'
import { readDrafts, removeDraft, writeDraft } from './drafts-store.ts'
import { useOrganization } from './organization.tsx'
import { onSignOut } from './tabs.ts'

type Row = Record<string, unknown> & { key: string }
type StoredRows = { isLoaded: boolean; items: readonly Row[] }

const none: StoredRows = { isLoaded: false, items: [] }
const stored = createStore<ReadonlyMap<string, StoredRows>>(new Map())
onSignOut(() => stored.set(new Map()))

/**
 * Inputs of an operation that were not sent yet, several of them: they survive a reload like the draft of a form, and go
 * when the person signs out (DSH-8).
 */
export function useStoredRows<Kind extends Row>(operation: Route, objectId: string) {
  const { id, caller } = useOrganization()
  const prefix = draftKeyOf(caller.person.id, id, operation, `${objectId} `).replace(/"\]$/, '')
  const { isLoaded, items } = useStore(stored).get(prefix) ?? none
  useEffect(() => {
    if (isLoaded) return
    void readDrafts(prefix).then(drafts => {
      const former = stored.get().get(prefix) ?? none
      const known = new Set(former.items.map(({ key }) => key))
      const read = drafts.map(({ values }) => values as Row).filter(({ key }) => !known.has(key))
      change(prefix, { isLoaded: true, items: [...read, ...former.items] })
    })
  }, [isLoaded, prefix])
  const put = useCallback(
    (row: Kind) => {
      const former = stored.get().get(prefix) ?? none
      change(prefix, { ...former, items: [...former.items.filter(({ key }) => key !== row.key), row] })
      void writeDraft(`${prefix}${row.key}`, row)
    },
    [prefix],
  )
  const remove = useCallback(
    (key: string) => {
      const former = stored.get().get(prefix) ?? none
      change(prefix, { ...former, items: former.items.filter(row => row.key !== key) })
      void removeDraft(`${prefix}${key}`)
    },
    [prefix],
  )
  return { isLoaded, items: items as readonly Kind[], put, remove }
}

function change(prefix: string, rows: StoredRows): void {
  stored.set(new Map(stored.get()).set(prefix, rows))
}
