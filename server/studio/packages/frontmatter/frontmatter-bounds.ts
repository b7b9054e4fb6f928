import { limits } from '#contract/limits.ts'
import { fail } from '#platform/fail.ts'
import { isExactNumber } from '#platform/http/input.ts'
import { writeYaml } from './write-yaml.ts'
import { yaml } from './yaml.ts'

/**
 * Export adds the name, the description and other fields of the asset to its front matter, and import must take what
 * export wrote: so the importer takes this much more than an operation does.
 */
const addedCharacters = 32_768
const addedTokens = 500

/** What front matter may cost as text. */
export const importedBounds = {
  characters: limits.frontmatterCharacters + addedCharacters,
  tokens: limits.frontmatterTokens + addedTokens,
} as const

/** Refuses front matter that would take too long to be written, read, compared or merged: VALIDATION_ERROR. */
export function assertFrontmatterBounds(frontmatter: Record<string, unknown> | undefined): void {
  if (frontmatter === undefined) return
  const exceeded = exceededBound(frontmatter)
  if (exceeded) fail('VALIDATION_ERROR', { details: [{ path: 'frontmatter', ...exceeded }] })
}

/** The same for front matter that comes from a package or from several: it may hold what exports add. */
export function assertImportedFrontmatterBounds(frontmatter: Record<string, unknown>): void {
  const exceeded = exceededBound(frontmatter, importedBounds)
  if (exceeded) fail('VALIDATION_ERROR', { details: [{ path: 'frontmatter', ...exceeded }] })
}

type Bounds = { characters: number; tokens: number }
type ExceededBound = { code: string; message: string }

/** Which of the bounds the fields exceed, written as YAML. */
export function exceededBound(
  fields: Record<string, unknown>,
  bounds: Bounds = { characters: limits.frontmatterCharacters, tokens: limits.frontmatterTokens },
): ExceededBound | undefined {
  const tooLong = {
    code: 'maxLength',
    message: `must have at most ${bounds.characters} characters, written as YAML`,
  }
  const tooMany = { code: 'maxTokens', message: `must have at most ${bounds.tokens} tokens, written as YAML` }
  // counted first, because writing what is far too large takes long itself
  const left = { ...bounds }
  subtractCost(fields, left)
  if (left.characters < 0) return tooLong
  if (left.tokens < 0) return tooMany
  const text = writeYaml(fields)
  if (text.length > bounds.characters) return tooLong
  return tokensIn(text, bounds.tokens) > bounds.tokens ? tooMany : undefined
}

/** Takes from what is left the least that the value costs, and stops when nothing is left. */
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

/** The tokens of a text, counted up to one more than `most`. */
function tokensIn(text: string, max: number): number {
  let tokens = 0
  for (const _ of new (yaml().Lexer)().lex(text)) if (++tokens > max) break
  return tokens
}

/** Whether JSON can keep all numbers in a value: what is read from a package is asked this as bodies are. */
export function holdsExactNumbers(value: unknown): boolean {
  if (typeof value === 'number') return isExactNumber(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.values(value).every(holdsExactNumbers)
}
