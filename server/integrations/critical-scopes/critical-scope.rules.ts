import { fail } from '#platform/fail.ts'

/** The trimmed text. Refuses VALIDATION_ERROR if spaces around it hid that it is too short. */
export function trimmedText(text: string, path: string, minLength: number): string {
  const trimmed = text.trim()
  if (trimmed.length >= minLength) return trimmed
  const message = `must have at least ${minLength} characters, not counting surrounding spaces`
  return fail('VALIDATION_ERROR', { details: [{ path, code: 'minLength', message }] })
}
