import { wordsOf } from './fold.ts'

/** A search uses this many of its words. */
const mostWords = 8
/** Stands for a search without letters and digits; no text contains it. */
const noWord = '\u{10ffff}'

/**
 * The words of a search: folded, each once, the last one as it was typed last, because it may be the beginning of a word. Never
 * empty.
 */
export function searchedWords(search: string): string[] {
  const words = [...new Set(wordsOf(search).toReversed())].toReversed().slice(0, mostWords)
  return words.length > 0 ? words : [noWord]
}

/** The words of the first `longest` characters of a text, as a text for `to_tsvector`. */
export function indexedText(text: string, longest: number): string {
  return wordsOf(text.slice(0, longest)).join(' ')
}

/** True for words that are worth a correction: letters only, 3 to 32 of them. */
export function isSpellable(word: string): boolean {
  return word.length >= 3 && word.length <= 32 && !/\p{N}/u.test(word)
}

/** SQL: true for a word that texts contain everywhere. */
export const isStopWord = (word: string) =>
  `'{}' in (ts_lexize('spanish_stem', ${word}), ts_lexize('english_stem', ${word}))`

/** SQL for the stem of a word. */
export const stemOf = (word: string) => `coalesce((ts_lexize('spanish_stem', ${word}))[1], ${word})`

/** True when the typed word may mean the other: one or two typing errors away, or contained in it. */
export function isLike(typed: string, word: string): boolean {
  if (word.includes(typed)) return true
  return distance(typed, word) <= (typed.length < 6 ? 1 : 2)
}

/** The number of letters that are wrong, missing, extra or swapped with the next one. */
export function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      row[j] = Math.min(row[j - 1]! + 1, last[j]! + 1, last[j - 1]! + (isSame ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        row[j] = Math.min(row[j]!, beforeLast[j - 2]! + 1)
      }
    }
    beforeLast = last
    last = row
  }
  return last[b.length]!
}
