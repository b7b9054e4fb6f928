import { wordsOf } from '#platform/fold.ts'
import type { Standing } from '../asset.rules.ts'

/**
 * How an asset stands in the search index. Each of its words carries a key in front, so that a look-up reads
 * only the entries of one organization, whatever else the index holds:
 *
 *   <organization> o .    what everybody in the organization may read
 *   <organization> x .    what only some may read
 *   <organization> zo .   the same two for archived assets
 *   <organization> zx .
 *
 * Key and `@` are marks to narrow a search by: type, status, visibility, author, whom it is shared with, and for
 * `x` whose departments or workspaces may read. `@s` and a number is the stretch of the catalogue: some thousand
 * assets, counted in the order in which they came. A search for a common word stops in the newest stretches
 * instead of collecting every match. Ids are cut to their last characters, so a mark may also fit a stranger:
 * access is always checked on the row as well.
 */
export function placeOf({ visibility, status }: Standing): string {
  const isOpen = visibility === 'ORGANIZATION' || visibility === 'MARKETPLACE'
  return `${status === 'ARCHIVED' ? 'z' : ''}${isOpen ? 'o' : 'x'}`
}

/** What a search can be narrowed by; the stretch comes from the database. */
export function marksOf({ author_id, department_set, visibility, status, type }: Standing): string[] {
  const marks = [`@${type}`, `@${status}`, `@${visibility}`, `@a${tail(author_id)}`]
  if (visibility === 'WORKSPACE') marks.push(`@w${tail(author_id)}`)
  if (visibility === 'DEPARTMENT') marks.push(`@d${tail(department_set)}`)
  return marks
}

/** The characters of an id that tell it from others. */
export function tail(id: string): string {
  return id.slice(-8)
}

/** Assets of one stretch. */
export const stretchLength = 4096

/** The words of a text as the index takes them, from its first so many characters. */
export function indexed(text: string, longest: number): string {
  return wordsOf(text.slice(0, longest)).join(' ')
}

/** The words of names and tags that a misspelt word may have meant, with their trigrams. */
export function wordParts(texts: readonly string[]): Map<string, string[]> {
  const words = texts.flatMap(text => wordsOf(text)).filter(isSpellable)
  return new Map(words.map(word => [word, trigramsOf(word)]))
}

/** Words worth a correction: letters only, neither very short nor very long. */
export function isSpellable(word: string): boolean {
  return word.length >= 3 && word.length <= 32 && !/\p{N}/u.test(word)
}

export function trigramsOf(word: string): string[] {
  const padded = `  ${word} `
  const parts = new Set<string>()
  for (let at = 0; at + 3 <= padded.length; at++) parts.add(padded.slice(at, at + 3))
  return [...parts]
}
