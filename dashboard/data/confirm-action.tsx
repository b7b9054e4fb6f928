import { useRef } from 'react'
import type { Input, Reply, Route } from '#contract/route.ts'
import type { CallInput } from '#sdk/client.ts'
import { Confirm, type ConfirmProps } from '../parts/confirm.tsx'
import { Notice } from '../parts/states.tsx'
import { showToast } from '../parts/toasts.tsx'
import { useLanguage } from '../words/words.ts'
import { textOfError } from './errors.ts'
import { useAction } from './read.ts'

type Question = Pick<
  ConfirmProps,
  'title' | 'children' | 'action' | 'isDangerous' | 'isCancellation' | 'nameToType' | 'asksReason' | 'onClose'
>

export type ConfirmActionProps<R extends Route<unknown, unknown>> = Question & {
  operation: R
  /** A function if the person gives a reason. */
  input: CallInput<Input<R>> | ((reason: string) => CallInput<Input<R>>)
  /** The reads that `useAction` reads anew. */
  refreshes?: readonly Route<unknown, unknown>[]
  /** Says what was done; undefined if the screen shows it. */
  toast: ((reply: Reply<R>) => string) | undefined
  /** Called last, unless the person closed the dialog before the reply came. */
  onDone?: ((reply: Reply<R>) => unknown) | undefined
}

/** Asks, then calls an operation, closes and says what was done. The dialog stays open and shows why a call was refused. */
export function ConfirmAction<R extends Route<unknown, unknown>>({
  operation,
  input,
  refreshes,
  toast,
  onDone,
  onClose,
  ...question
}: ConfirmActionProps<R>) {
  const language = useLanguage()
  const { mutateAsync, isPending, error } = useAction(operation, refreshes && { refreshes })
  // another dialog may be open in its place by the time of the reply
  const isClosed = useRef(false)
  function close(): void {
    isClosed.current = true
    onClose()
  }
  // `mutate` would not call this if the dialog is gone by then, for instance with the object that was deleted
  function finish(reply: Reply<R>): void {
    const isOpen = !isClosed.current
    if (isOpen) close()
    if (toast) showToast({ text: toast(reply) })
    if (isOpen) onDone?.(reply)
  }
  return (
    <Confirm
      {...question}
      isOpen
      onClose={close}
      isBusy={isPending}
      error={error && <Notice kind="danger">{textOfError(error, language)}</Notice>}
      onConfirm={reason =>
        mutateAsync(typeof input === 'function' ? input(reason) : input).then(finish, () => {
          // `error` has the reason of the refusal
        })
      }
    />
  )
}
