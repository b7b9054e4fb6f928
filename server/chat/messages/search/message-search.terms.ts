import { wordsOf } from '#platform/fold.ts'
import { lastOf } from '#platform/required.ts'
import { searchedWords } from '#platform/search-words.ts'

/** Messages in one segment of a channel. */
export const segmentLength = 4_096

/**
 * The prefix of each word of a message in the search index: the channel and its segment, so that a lookup reads only
 * those. The arguments are SQL. Channel ids are shortened, so a prefix may match another channel; access is always
 * checked on the message row too.
 */
export function termPrefix(channelId: string, seq: string): string {
  return `right(${channelId}, 8) || '.' || ${seq} / ${segmentLength} || '.'`
}

/** The distinct search words of a message. */
export function searchWordsOf(content: string): string[] {
  return [...new Set(wordsOf(content))]
}

/** A shorter last word matches whole words only, because as a prefix it would match too much. */
const minPrefixLength = 2

/**
 * The text of a tsquery for all words, of which the last is a prefix; `~` stands for the prefix of channel and segment.
 * Undefined if the search has no words.
 */
export function toSearchQuery(search: string): string | undefined {
  if (wordsOf(search).length === 0) return undefined
  const words = searchedWords(search)
  const isPrefix = lastOf(words).length >= minPrefixLength
  return words.map(word => `'~${word}'`).join(' & ') + (isPrefix ? ':*' : '')
}
