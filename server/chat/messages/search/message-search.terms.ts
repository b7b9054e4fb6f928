import { wordsOf } from '#platform/fold.ts'

/** Messages of one stretch. */
export const segmentLength = 4_096

/**
 * Stands in front of each word of a message in the search index: its channel, and which stretch of the channel it is in,
 * so that a look-up reads only what was said there and then. Both are SQL. Ids are cut to their last characters, so a word
 * may also be that of a stranger: access is always checked on the row as well.
 */
export function termPrefix(channelId: string, seq: string): string {
  return `right(${channelId}, 8) || '.' || ${seq} / ${segmentLength} || '.'`
}

/** The words that a message is found by, each once. */
export function searchWordsOf(content: string): string[] {
  return [...new Set(wordsOf(content))]
}

const maxWords = 8
/** A last word of fewer letters is looked for as it is: it would be the beginning of too much. */
const minPrefixLength = 2

/**
 * What is looked for, as the text of a tsquery in which `~` stands for the place: all words, the last one also as a
 * beginning. Undefined when there is no word at all.
 */
export function toSearchQuery(search: string): string | undefined {
  const words = wordsOf(search).slice(0, maxWords)
  if (words.length === 0) return undefined
  const isPrefix = words.at(-1)!.length >= minPrefixLength
  return words.map(word => `'~${word}'`).join(' & ') + (isPrefix ? ':*' : '')
}
