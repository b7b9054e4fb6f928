import { wordsOf } from '#platform/fold.ts'

/** What the catalogue finds an entry by. */
export type ListingSearchText = { name: string; description: string; tags: readonly string[] }

/** The words of an entry as the index takes them: of its name, its tags and its description, folded. */
export function termsOf({
  name,
  description,
  tags,
}: ListingSearchText): [name: string, tags: string, text: string] {
  return [indexed(name, 400), indexed(tags.join(' '), 3_000), indexed(description, 4_000)]
}

/** SQL for the terms, from three expressions with folded words: as they stand, and as Spanish stems. */
export function termsSql(name: string, tags: string, description: string): string {
  const both = (words: string) => `(to_tsvector('simple', ${words}) || to_tsvector('spanish', ${words}))`
  return `(setweight(${both(name)}, 'A') || setweight(${both(tags)}, 'B') || setweight(${both(description)}, 'C'))`
}

/**
 * SQL for the marks that narrow a search, which no word can be: `@t` type, `@c` category, `@p` pricing, and `@s` with
 * the number of the stretch of the catalogue. Stretches are counted in the order of approval, so that a search for a
 * common word ends in the newest of them instead of gathering every match.
 */
export function filterMarksSql(type: string, category: string, pricing: string, segment: string): string {
  return `array_to_tsvector(array['@t' || ${type}, '@c' || ${category}, '@p' || ${pricing}, '@s' || ${segment}])`
}

/** Approvals of one stretch. */
export const segmentLength = 512

/** The words that the catalogue learns, so that their beginnings and misspellings find them. */
export function learntWords({ name, description, tags }: ListingSearchText): string[] {
  const words = termsOf({ name, description, tags }).flatMap(text => text.split(' '))
  return [...new Set(words.filter(isSpellable))].sort()
}

/** Words worth a correction: letters only, neither very short nor very long. */
export function isSpellable(word: string): boolean {
  return word.length >= 3 && word.length <= 32 && !/\p{N}/u.test(word)
}

function indexed(text: string, longest: number): string {
  return wordsOf(text.slice(0, longest)).join(' ')
}
