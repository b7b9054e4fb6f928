import type { Seals } from './seals.ts'

/**
 * A token that says what it is for and that nobody else can make: its parts and their seal, with dots between them. Nothing of
 * it is stored. The parts have no dots; `purpose` names the format, so another format needs another purpose.
 */
export function sealedToken(seals: Seals, purpose: string, parts: readonly (string | number)[]): string {
  const text = parts.join('.')
  return `${text}.${seals.seal(purpose, text)}`
}

/** The parts of a token; undefined if the seal is not ours. */
export function partsOfSealedToken(seals: Seals, purpose: string, token: string): string[] | undefined {
  const parts = token.split('.')
  const seal = parts.pop() ?? ''
  return seals.isSealed(purpose, parts.join('.'), seal) ? parts : undefined
}
