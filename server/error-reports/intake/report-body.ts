import type { reportError } from '#contract/error-reports/errors.ts'
import type { Input } from '#contract/operation.ts'
import { fail } from '#platform/fail.ts'

export type Said = Input<typeof reportError>['body']

/** Trims message and module, and refuses an empty one (ERR-3). */
export function tidy(body: Said): Said {
  const message = trimmed(body.message, 'message')
  const module = trimmed(body.module, 'module')
  return message === body.message && module === body.module ? body : { ...body, message, module }
}

function trimmed(text: string, path: string): string {
  return (
    text.trim() ||
    fail('VALIDATION_ERROR', { details: [{ path, code: 'minLength', message: 'must not be empty' }] })
  )
}
