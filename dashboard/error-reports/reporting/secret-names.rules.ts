import { limits } from '#contract/limits.ts'

/** The names in a text with one a line, each once. */
export function namesIn(text: string): string[] {
  const names = text.split('\n').map(line => line.trim())
  return [...new Set(names.filter(name => name !== ''))]
}

/** The reason why the server would refuse the names: too many names, or one without a letter or digit or that is too long. */
export function namesProblem(
  names: readonly string[],
): { kind: 'tooMany' } | { kind: 'invalid'; name: string } | undefined {
  if (names.length > limits.secretNames) return { kind: 'tooMany' }
  const name = names.find(one => !/[\p{L}\p{N}]/u.test(one) || [...one].length > limits.secretName)
  return name === undefined ? undefined : { kind: 'invalid', name }
}
