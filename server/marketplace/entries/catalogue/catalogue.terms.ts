import { indexedText, isSpellable } from '#platform/search-words.ts'

/** The texts by which search finds an entry. */
export type ListingSearchText = { name: string; description: string; tags: readonly string[] }

/** The folded words of name, tags and description for the index: the parameters of `termsSql`. */
export type SearchTerms = { nameWords: string; tagWords: string; descriptionWords: string }

export function termsOf({ name, description, tags }: ListingSearchText): SearchTerms {
  return {
    nameWords: indexedText(name, 400),
    tagWords: indexedText(tags.join(' '), 3_000),
    descriptionWords: indexedText(description, 4_000),
  }
}

/** SQL for the search terms of three expressions with folded words: literal, and as Spanish stems. */
export function termsSqlOf(name: string, tags: string, description: string): string {
  const both = (words: string) => `(to_tsvector('simple', ${words}) || to_tsvector('spanish', ${words}))`
  return `(setweight(${both(name)}, 'A') || setweight(${both(tags)}, 'B') || setweight(${both(description)}, 'C'))`
}

/** The same for the parameters of `SearchTerms`. */
export const termsSql = termsSqlOf('$nameWords', '$tagWords', '$descriptionWords')

/**
 * SQL for the filter marks of an entry, which cannot be words: `@t` type, `@c` category, `@p` pricing, and `@s` with the
 * number of its catalogue segment. Segments follow the order of approval, so that a search for a common word can stop
 * after the newest ones instead of gathering every match.
 */
export function filterMarksSql(type: string, category: string, pricing: string, segment: string): string {
  return `array_to_tsvector(array['@t' || ${type}, '@c' || ${category}, '@p' || ${pricing}, '@s' || ${segment}])`
}

/** Approvals in one segment. */
export const segmentLength = 512

/** The words stored for prefix and spelling searches. */
export function learntWords({ name, description, tags }: ListingSearchText): string[] {
  const words = Object.values(termsOf({ name, description, tags })).flatMap(text => text.split(' '))
  return [...new Set(words.filter(isSpellable))].sort()
}
