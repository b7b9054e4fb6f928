import type { UseMutationResult } from '@tanstack/react-query'
import { useCallback } from 'react'
import { showToast, type Toast } from '../parts/toasts.tsx'
import { useLanguage } from '../words/words.ts'
import { needErrorTexts, textOfError } from './errors.ts'

/** Consequences of one call of an action. */
export type CallOptions<Answer> = {
  /** Says what was done, also if the person has left the component by then. */
  toast?: (answer: Answer) => string | Toast
  /** Says why the call was refused, for components that do not show the `error` of the action. */
  toastsFailure?: boolean
  /** Not called if the component is gone by then. */
  onSuccess?: (answer: Answer) => unknown
  /** Not called if the component is gone by then. */
  onError?: () => unknown
}

/** Each state of a mutation, with another `mutate`. */
type WithMutate<State, Mutate> = State extends unknown ? Omit<State, 'mutate'> & { mutate: Mutate } : never

export type ToastingMutation<Answer, Failure, Variables> = WithMutate<
  UseMutationResult<Answer, Failure, Variables>,
  (variables: Variables, options?: CallOptions<Answer>) => void
>

/** A mutation whose calls can end with a toast (DSH-28). */
export function useToasting<Answer, Failure, Variables>(
  mutation: UseMutationResult<Answer, Failure, Variables>,
): ToastingMutation<Answer, Failure, Variables> {
  const language = useLanguage()
  const { mutateAsync } = mutation
  const mutate = useCallback(
    (variables: Variables, { toast, toastsFailure, ...callbacks }: CallOptions<Answer> = {}): void => {
      mutateAsync(variables, callbacks).then(
        answer => {
          const message = toast?.(answer)
          if (message !== undefined) showToast(typeof message === 'string' ? { text: message } : message)
        },
        async error => {
          if (!toastsFailure) return
          await needErrorTexts(language)
          showToast({ kind: 'failed', text: textOfError(error, language) })
        },
      )
    },
    [mutateAsync, language],
  )
  return { ...mutation, mutate }
}
