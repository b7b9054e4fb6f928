import type { reportError } from '#contract/error-reports/errors.ts'
import type { Input } from '#contract/operation.ts'
import { fail } from '#platform/fail.ts'

export type ReportBody = Input<typeof reportError>['body']

/** Trims message and module. Refuses VALIDATION_ERROR if one is empty (ERR-3). */
export function trimReport(body: ReportBody): ReportBody {
  const message = requireText(body.message, 'message')
  const module = requireText(body.module, 'module')
  return message === body.message && module === body.module ? body : { ...body, message, module }
}

function requireText(text: string, path: string): string {
  return (
    text.trim() ||
    fail('VALIDATION_ERROR', { details: [{ path, code: 'minLength', message: 'must not be empty' }] })
  )
}
