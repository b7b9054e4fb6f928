import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Form } from 'react-aria-components'
import type { Route } from '#contract/route.ts'
import { CallError } from '#sdk/client.ts'
import { focusFirstField } from '../parts/first-field.ts'
import { Notice } from '../parts/states.tsx'
import { useLanguage } from '../words/words.ts'
import styles from './action-form.module.css'
import { dataOf } from './contract.ts'
import { needErrorTexts, textOfError } from './errors.ts'

type FieldProps = {
  name: string
  isRequired: boolean
  minLength?: number
  maxLength?: number
  type?: 'email'
}

/** The name and the bounds of a field, as the contract of the operation has them (DSH-11). */
export function fieldOf<In, Out>(operation: Route<In, Out>, name: string): FieldProps {
  const field = dataOf(operation).fields[name]
  if (!field) throw new Error(`${operation.method} ${operation.path} has no field ${name}`)
  const { isRequired, minLength, maxLength, format } = field
  return {
    name,
    isRequired,
    ...(minLength !== undefined && minLength > 1 && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    ...(format === 'email' && { type: 'email' as const }),
  }
}

/** Why the server refused a field: `code` is stable, `message` is English. */
type FieldRefusal = { path: string; code: string; message: string }

export type ActionFormProps = {
  /** Sends the values; what it throws is shown: by field where the server names fields, else above the form. */
  onSubmit: (values: Readonly<Record<string, string>>) => Promise<unknown>
  /** The fields and, last, the buttons; `isBusy` while the values are being sent. */
  children: (state: { isBusy: boolean }) => ReactNode
  /** A sentence about a choice that is still missing, which no field of the form requires. Sending then shows it. */
  lacks?: string | false
  /** Own words for why the server refused a field; undefined leaves those of the server. */
  reasonOf?: (refused: FieldRefusal) => string | undefined
  /** Shows some errors itself, for instance as a step of its own; undefined leaves the usual text. */
  showError?: (error: unknown) => ReactNode | undefined
  'aria-label'?: string
}

/** A form that sends its values (DSH-11). Its button is never disabled: the form says what is missing (DSH-23). */
export function ActionForm({ onSubmit, children, lacks, reasonOf, showError, ...form }: ActionFormProps) {
  const language = useLanguage()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const [isLacking, setLacking] = useState(false)
  const element = useRef<HTMLFormElement>(null)
  // a dialog may show a form after it has read something, or as its next step
  useEffect(() => focusFirstField(element.current), [])

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    event.stopPropagation()
    setLacking(Boolean(lacks))
    if (lacks) return setError(undefined)
    const values = Object.fromEntries(
      [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)]),
    )
    setBusy(true)
    setError(undefined)
    try {
      await onSubmit(values)
    } catch (failure) {
      await needErrorTexts(language)
      setError(failure)
    } finally {
      setBusy(false)
    }
  }

  const fields = fieldErrors(error, reasonOf)
  return (
    <Form
      {...form}
      ref={element}
      onSubmit={event => void submit(event)}
      {...(fields && { validationErrors: fields })}
    >
      <div className={styles.form}>
        {isLacking && lacks && <Notice kind="danger">{lacks}</Notice>}
        {error !== undefined &&
          !fields &&
          (showError?.(error) ?? <Notice kind="danger">{textOfError(error, language)}</Notice>)}
        {children({ isBusy })}
      </div>
    </Form>
  )
}

/** The reasons by field; undefined if the server names no field. */
function fieldErrors(
  error: unknown,
  reasonOf: ActionFormProps['reasonOf'],
): Record<string, string> | undefined {
  if (!(error instanceof CallError)) return undefined
  const details = (error.body.details ?? []) as FieldRefusal[]
  const named = details.filter(({ path }) => path !== '')
  if (named.length === 0) return undefined
  return Object.fromEntries(named.map(refusal => [refusal.path, reasonOf?.(refusal) ?? refusal.message]))
}
