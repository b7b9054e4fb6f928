import { useRef, useState } from 'react'
import type { Route } from '#contract/route.ts'
import { fieldOf } from '../data/action-form.tsx'
import { Button } from '../parts/button.tsx'
import { Notice } from '../parts/states.tsx'
import { Time } from '../parts/time.tsx'
import { useWords, words } from '../words/words.ts'
import styles from './forms.module.css'

const texts = words({
  es: { unsaved: 'Se conserva lo que escribiste y no se guardó,', discard: 'Descartar' },
  en: { unsaved: 'What you typed and did not save is still here,', discard: 'Discard' },
})

type Texts = Readonly<Record<string, string>>
type TextDraft = {
  values: object | undefined
  savedAt: number | undefined
  save: (values: Texts) => void
  clear: () => void
}

/**
 * The fields of a form with a draft (`useDraft`, once it is loaded): they show the draft, or else the current values,
 * and what is typed goes into the draft. Draw the form with `formKey`, so that discarding the draft resets it.
 */
export function useDraftFields(
  draft: TextDraft,
  operation: Route<unknown, unknown>,
  current: Readonly<Record<string, unknown>> | undefined,
) {
  const [stored, setStored] = useState({ values: textsOf(draft.values), savedAt: draft.savedAt })
  const typed = useRef(stored.values)
  const initialOf = (name: string) => stored.values[name] ?? textsOf(current)[name] ?? ''
  function keep(name: string, value: string): void {
    typed.current = { ...typed.current, [name]: value }
    draft.save(typed.current)
  }
  function discard(): void {
    draft.clear()
    typed.current = {}
    setStored({ values: {}, savedAt: undefined })
  }
  return {
    formKey: stored.savedAt ?? 0,
    initialOf,
    keep,
    /** The properties of a `TextField`, but for its label. */
    field: (name: string) => ({
      ...fieldOf(operation, name),
      defaultValue: initialOf(name),
      autoComplete: 'off',
      onChange: (value: string) => keep(name, value),
    }),
    storedAt: stored.savedAt,
    discard,
  }
}

/** Says that a form shows a draft, and discards it. */
export function StoredDraftNotice({
  storedAt,
  discard,
}: {
  storedAt: number | undefined
  discard: () => void
}) {
  const text = useWords(texts)
  if (storedAt === undefined) return null
  return (
    <Notice>
      <div className={styles.stored}>
        <span>
          {text.unsaved} <Time value={storedAt} />
        </span>
        <Button size="small" onPress={discard}>
          {text.discard}
        </Button>
      </div>
    </Notice>
  )
}

function textsOf(values: object | undefined): Texts {
  return Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => typeof value === 'string'))
}
