import { limits } from '#contract/limits.ts'
import { fail } from '#platform/fail.ts'

/** What is wrong with an entry, without spaces around it: 10 to 1,000 characters. Document 1, Limits. */
export function tidyReport(reason: string): string {
  const tidy = reason.trim()
  const length = [...tidy].length
  const { reportReasonMin: least, reportReason: most } = limits
  if (length < least) refuse('minLength', `must NOT have fewer than ${least} characters`)
  if (length > most) refuse('maxLength', `must NOT have more than ${most} characters`)
  return tidy
}

function refuse(code: string, message: string): never {
  const whole = `${message}, without spaces around it`
  fail('VALIDATION_ERROR', { details: [{ path: 'reason', code, message: whole }] })
}
