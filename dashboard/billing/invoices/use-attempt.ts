import { useRef, useState } from 'react'
import { codeOf, needErrorTexts, statusOf } from '../../data/errors.ts'
import { useLanguage } from '../../words/words.ts'
import { isFinalRefusal } from './attempt.rules.ts'
import type { AttemptKey } from './attempt-key.ts'

/** The state of an attempt: not sent, sent, refused for good, or without an answer that says what happened. */
export type AttemptState<Result> =
  | { kind: 'asking' }
  | { kind: 'sending' }
  | { kind: 'refused'; error: unknown }
  | { kind: 'unknown'; error: unknown }
  | { kind: 'answered'; result: Result }

/**
 * Sends an attempt to move money, one at a time. After an answer that leaves open what happened, it can be sent again
 * with the same key; after a refusal, nothing happened.
 */
export function useAttempt<Result>({ end }: AttemptKey, isFinal: (result: Result) => boolean) {
  const language = useLanguage()
  const [state, setState] = useState<AttemptState<Result>>({ kind: 'asking' })
  // a second press comes before React has drawn the first
  const isSending = useRef(false)
  async function send(call: () => Promise<Result>): Promise<void> {
    if (isSending.current) return
    isSending.current = true
    setState({ kind: 'sending' })
    try {
      const result = await call()
      setState({ kind: 'answered', result })
      if (isFinal(result)) end()
    } catch (error) {
      await needErrorTexts(language)
      const isRefused = isFinalRefusal(statusOf(error))
      setState({ kind: isRefused ? 'refused' : 'unknown', error })
      // the key belongs to another attempt that the server knows
      if (codeOf(error) === 'IDEMPOTENCY_KEY_REUSED') end()
    } finally {
      isSending.current = false
    }
  }
  return { state, send, reset: () => setState({ kind: 'asking' }) }
}
