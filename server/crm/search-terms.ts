import { limits } from '#contract/limits.ts'
import { fail } from '#platform/fail.ts'
import { fold } from '#platform/fold.ts'

/** A search in a folded text with a trigram index, such as lead.search: the arguments of its statement. */
export type SearchTerms = {
  /** LIKE patterns; all must match. */
  patterns: string[]
  /** False if the trigram index supports none of the patterns. */
  isIndexed: boolean
  /** The patterns for the trigram index; empty if it supports none. */
  first: string
  second: string
  third: string
}

/** SQL: true if the column matches the patterns for the trigram index. */
export const matchesIndexed = (column: string) =>
  `${column} like $first and ${column} like $second and ${column} like $third`

/**
 * Makes a pattern of every word. A word with fewer than three characters matches only the beginning of a word, because the
 * index has sequences of three characters and beginnings of words.
 */
export function termsOf(text: string): SearchTerms {
  const words = fold(text).match(/\S+/g) ?? []
  const longest = [...new Set(words)].sort((a, b) => b.length - a.length)
  const patterns = longest.map(
    word => `%${[...word].length < 3 ? ' ' : ''}${word.replace(/[\\%_]/g, '\\$&')}%`,
  )
  const indexable = patterns.filter(isIndexable)
  const [first = '', second = first, third = first] = indexable
  return { patterns, isIndexed: indexable.length > 0, first, second, third }
}

function isIndexable(pattern: string): boolean {
  return /[\p{L}\p{N}]{3}|[^\p{L}\p{N}%\\_][\p{L}\p{N}]/u.test(pattern)
}

/** Whether a query is too short without surrounding spaces. */
export function isTooShort(text: string): boolean {
  return [...text.trim()].length < limits.leadSearchMin
}

/** The text to search for; undefined without one. Refuses VALIDATION_ERROR for a text that is too short. */
export function searchedText(search: string | undefined): string | undefined {
  if (search === undefined || !isTooShort(search)) return search
  return fail('VALIDATION_ERROR', {
    details: [
      { path: 'search', code: 'too_short', message: 'must have at least two characters other than spaces' },
    ],
  })
}
