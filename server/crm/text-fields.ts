import { likePattern } from '#platform/data/dynamic-filters.ts'
import { fail } from '#platform/fail.ts'
import { fold } from '#platform/fold.ts'

/** The new value of a text field, trimmed. undefined keeps the previous value. */
export function mergeText(input: string | null | undefined, before: string | null): string | null {
  return input === undefined ? before : (input?.trim() ?? null)
}

/** First and last name, without missing parts. */
export function fullName({
  first_name,
  last_name,
}: {
  first_name: string | null
  last_name: string | null
}): string {
  return [first_name, last_name].filter(Boolean).join(' ')
}

/** The text that list searches match: one folded value per line, each after a space. */
export function searchText(...texts: readonly (string | null)[]): string {
  return texts.flatMap(text => (text ? [` ${fold(text)}`] : [])).join('\n')
}

/**
 * The LIKE pattern for text from `searchText`; null without a search. Two characters match only the beginning of a word:
 * the trigram index needs three characters, and the space is one of them.
 */
export function searchPattern(search: string | undefined): string | null {
  if (search === undefined) return null
  const text = fold(search.trim())
  if ([...text].length < 2)
    fail('VALIDATION_ERROR', {
      details: [
        { path: 'search', code: 'too_short', message: 'must have at least two characters other than spaces' },
      ],
    })
  return likePattern([...text].length === 2 ? ` ${text}` : text)
}
