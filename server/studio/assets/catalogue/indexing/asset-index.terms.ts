import { wordsOf } from '#platform/fold.ts'
import { isSpellable } from '#platform/search-words.ts'
import type { AssetBucketFields } from '../../asset.rules.ts'

/**
 * How an asset is stored in the search index. Each of its words has a prefix, so that a search reads only the
 * entries of one organization:
 *
 *  <organization> o .    assets that everybody in the organization may read
 *  <organization> x .    assets that only some may read
 *  <organization> zo .   the same two for archived assets
 *  <organization> zx .
 *
 * Words that begin with `@` are marks for filters: type, status, visibility, author, grantees and, in `x`,
 * the departments or workspaces that may read. `@s` and a number is the segment of the catalogue: some
 * thousand assets, in the order in which they were added. A search for a common word stops in the newest
 * segments instead of collecting every match. Ids are cut to their last characters, so a mark may also match
 * another id: access is always checked on the row. Stored: a test pins the prefixes and marks.
 */
export function partitionOf({ visibility, status }: AssetBucketFields): string {
  const isOpen = visibility === 'ORGANIZATION' || visibility === 'MARKETPLACE'
  return `${status === 'ARCHIVED' ? 'z' : ''}${isOpen ? 'o' : 'x'}`
}

/** The marks of an asset; the database adds the segment. */
export function marksOf({
  author_id,
  department_set,
  visibility,
  status,
  type,
}: AssetBucketFields): string[] {
  const marks = [`@${type}`, `@${status}`, `@${visibility}`, `@a${tail(author_id)}`]
  if (visibility === 'WORKSPACE') marks.push(`@w${tail(author_id)}`)
  if (visibility === 'DEPARTMENT') marks.push(`@d${tail(department_set)}`)
  return marks
}

/** The characters of an id that distinguish it from others. */
export function tail(id: string): string {
  return id.slice(-8)
}

/** The number of assets in a segment. */
export const segmentLength = 4096

/** The words of names and tags that a misspelt word may mean, with their trigrams. */
export function wordParts(texts: readonly string[]): Map<string, string[]> {
  const words = texts.flatMap(text => wordsOf(text)).filter(isSpellable)
  return new Map(words.map(word => [word, trigramsOf(word)]))
}

export function trigramsOf(word: string): string[] {
  const padded = `  ${word} `
  const parts = new Set<string>()
  for (let at = 0; at + 3 <= padded.length; at++) parts.add(padded.slice(at, at + 3))
  return [...parts]
}
