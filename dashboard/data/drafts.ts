import { useCallback, useEffect, useRef, useState } from 'react'
import type { Input, Route } from '#contract/route.ts'
import { draftKeyOf, withoutSecrets } from './drafts.rules.ts'
import { readDraft, removeDraft, type StoredDraft, writeDraft } from './drafts-store.ts'
import { useOrganization } from './organization.tsx'

type Body<R> = Input<R> extends { body: infer Values } ? Partial<Values> : Record<string, unknown>

/** The input of a form that a person did not send. */
export type Draft<Values> = {
  /** The kept values; undefined without a draft. */
  values: Values | undefined
  /** When they were kept, in milliseconds since 1970. */
  savedAt: number | undefined
  /** False until the browser has looked: show the form afterwards. */
  isLoaded: boolean
  /** Keeps these values a second later, without secrets. */
  save: (values: Values) => void
  /** Forgets the draft: after the form was sent or thrown away. */
  clear: () => void
}

const saveAfterMs = 1_000

/**
 * Keeps what is typed into the form of an operation: it survives a reload, another tab, and the end of the
 * session for 7 days, and goes when the person signs out (DSH-8). `objectId`: the object that the form changes. `Values`:
 * what the form keeps, if that is not the body of the operation.
 */
export function useDraft<R extends Route, Values extends object = Body<R>>(
  operation: R,
  objectId?: string,
): Draft<Values> {
  const { id, caller } = useOrganization()
  const key = draftKeyOf(caller.person.id, id, operation, objectId)
  const [state, setState] = useState<{ key: string; draft: StoredDraft | undefined }>()
  const waiting = useRef<{ timer: ReturnType<typeof setTimeout>; write: () => void }>(undefined)

  useEffect(() => {
    let isCurrent = true
    void readDraft(key).then(draft => isCurrent && setState({ key, draft }))
    return () => {
      isCurrent = false
      // what was typed in the last second is kept too
      waiting.current?.write()
    }
  }, [key])

  // a page that is closed or loaded anew stores what was typed in the last second
  useEffect(() => {
    const write = () => waiting.current?.write()
    window.addEventListener('pagehide', write)
    return () => window.removeEventListener('pagehide', write)
  }, [])

  const save = useCallback(
    (values: Values) => {
      if (waiting.current) clearTimeout(waiting.current.timer)
      const write = () => {
        clearTimeout(timer)
        waiting.current = undefined
        void writeDraft(key, withoutSecrets(values as Record<string, unknown>)).then(draft =>
          setState({ key, draft }),
        )
      }
      const timer = setTimeout(write, saveAfterMs)
      waiting.current = { timer, write }
    },
    [key],
  )
  const clear = useCallback(() => {
    if (waiting.current) clearTimeout(waiting.current.timer)
    waiting.current = undefined
    setState({ key, draft: undefined })
    void removeDraft(key)
  }, [key])

  const draft = state?.key === key ? state.draft : undefined
  return {
    values: draft?.values as Values | undefined,
    savedAt: draft?.savedAt,
    isLoaded: state?.key === key,
    save,
    clear,
  }
}
