import { limits } from '#contract/limits.ts'
import { fold } from '#platform/fold.ts'

/** What leads are searched by: see lead.search. */
export type SearchTerms = {
  /** For LIKE; each must fit. */
  patterns: string[]
  /** Some of them that the index of parts is asked for; none when it could not tell anything from the words. */
  indexed: readonly [string, string, string] | undefined
}

/**
 * Every word of the question, as a part of what is searched; one of less than three characters as the beginning of a word.
 * The index knows parts of three characters, and beginnings of words.
 */
export function termsOf(text: string): SearchTerms {
  const words = fold(text).match(/\S+/g) ?? []
  const longest = [...new Set(words)].sort((a, b) => b.length - a.length)
  const patterns = longest.map(
    word => `%${[...word].length < 3 ? ' ' : ''}${word.replace(/[\\%_]/g, '\\$&')}%`,
  )
  const [first, second = first, third = first] = patterns.filter(isIndexable)
  return { patterns, indexed: first === undefined ? undefined : [first, second!, third!] }
}

function isIndexable(pattern: string): boolean {
  return /[\p{L}\p{N}]{3}|[^\p{L}\p{N}%\\_][\p{L}\p{N}]/u.test(pattern)
}

/** True when a question says too little to be asked, however long it is. */
export function isTooShort(text: string): boolean {
  return [...text.trim()].length < limits.leadSearchMin
}
