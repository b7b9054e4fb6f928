import { expect } from 'vitest'

/**
 * Searches with characters that mean something to a text search of PostgreSQL or to `like`, and searches without a
 * word. Each is a text like any other.
 */
export const unusualSearches = [
  "'",
  '"',
  '\\',
  '%',
  '_',
  ':*',
  "x' | 'y",
  '(',
  '&',
  '!a',
  '<->',
  '~',
  '日本',
  '🦉',
  "a'b\\",
  '-',
  ' . ',
  '@sx',
]

/** Fails unless each of the searches finds exactly this, in this order. */
export async function expectEachFinds<Found>(
  search: (text: string) => Promise<readonly Found[]>,
  texts: readonly string[],
  expected: readonly Found[],
): Promise<void> {
  for (const text of texts) expect(await search(text), text).toEqual(expected)
}
