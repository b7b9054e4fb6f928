import { limits } from '#contract/limits.ts'
import { fail } from '#platform/fail.ts'
import { isExactNumber } from '#platform/http/input.ts'
import { writeYaml } from './write-yaml.ts'
import { yaml } from './yaml.ts'

/**
 * Export adds the name, the description and other fields of the asset to its front matter. Import must accept what export
 * wrote, so its limits are higher by this much.
 */
const addedCharacters = 32_768
const addedTokens = 500

/** The limits of front matter in packages. */
export const importedBounds = {
  characters: limits.frontmatterCharacters + addedCharacters,
  tokens: limits.frontmatterTokens + addedTokens,
} as const

/** Fails with VALIDATION_ERROR for front matter that would take too long to write, read, compare or merge. */
export function assertFrontmatterBounds(frontmatter: Record<string, unknown> | undefined): void {
  if (frontmatter === undefined) return
  const exceeded = exceededBound(frontmatter)
  if (exceeded) fail('VALIDATION_ERROR', { details: [{ path: 'frontmatter', ...exceeded }] })
}

/** Like `assertFrontmatterBounds`, for front matter of packages, which may contain the fields that exports add. */
export function assertImportedFrontmatterBounds(frontmatter: Record<string, unknown>): void {
  const exceeded = exceededBound(frontmatter, importedBounds)
  if (exceeded) fail('VALIDATION_ERROR', { details: [{ path: 'frontmatter', ...exceeded }] })
}

type Bounds = { characters: number; tokens: number }
type ExceededBound = { code: string; message: string }

/** The limit that the fields exceed as YAML, or undefined. */
export function exceededBound(
  fields: Record<string, unknown>,
  bounds: Bounds = { characters: limits.frontmatterCharacters, tokens: limits.frontmatterTokens },
): ExceededBound | undefined {
  const tooLong = {
    code: 'maxLength',
    message: `must have at most ${bounds.characters} characters as YAML`,
  }
  const tooMany = { code: 'maxTokens', message: `must have at most ${bounds.tokens} tokens as YAML` }
  // Estimate first, because writing very large front matter takes long itself
  const left = { ...bounds }
  subtractCost(fields, left)
  if (left.characters < 0) return tooLong
  if (left.tokens < 0) return tooMany
  const text = writeYaml(fields)
  if (text.length > bounds.characters) return tooLong
  return tokensIn(text, bounds.tokens) > bounds.tokens ? tooMany : undefined
}

/** Subtracts the minimum cost of the value, and stops when nothing is left. */
function subtractCost(value: unknown, left: Bounds): void {
  left.tokens--
  if (typeof value === 'string') left.characters -= value.length
  if (typeof value !== 'object' || value === null) return
  for (const key of Object.keys(value)) {
    if (left.tokens < 0 || left.characters < 0) return
    if (!Array.isArray(value)) left.characters -= key.length
    subtractCost((value as Record<string, unknown>)[key], left)
  }
}

/** Counts the tokens of a text, up to `max` + 1. */
function tokensIn(text: string, max: number): number {
  let tokens = 0
  for (const _ of new (yaml().Lexer)().lex(text)) if (++tokens > max) break
  return tokens
}

/** Whether JSON represents all numbers in a value exactly. Request bodies have the same check. */
export function holdsExactNumbers(value: unknown): boolean {
  if (typeof value === 'number') return isExactNumber(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.values(value).every(holdsExactNumbers)
}
