import { likePattern } from '#platform/data/dynamic-filters.ts'
import { fail } from '#platform/fail.ts'
import { fold } from '#platform/fold.ts'

/** A text as it is kept, without spaces around it: what is given, or, when nothing is, what there was before. */
export function mergeText(input: string | null | undefined, before: string | null): string | null {
  return input === undefined ? before : (input?.trim() ?? null)
}

/** The names on the wire of the columns in which two states of a row differ; of a new one those that it has. */
export function changedFieldNames<Row extends object, Name extends keyof Row>(
  names: Record<Name, string>,
  before: Row | null,
  after: Row,
): string[] {
  return (Object.keys(names) as Name[])
    .filter(name => (before?.[name] ?? null) !== after[name])
    .map(name => names[name])
}

/** Name and surname, as far as they are known. */
export function fullName({
  first_name,
  last_name,
}: {
  first_name: string | null
  last_name: string | null
}): string {
  return [first_name, last_name].filter(Boolean).join(' ')
}

/** What a list is searched through: each text folded, on a line of its own with a space before it. */
export function searchText(...texts: readonly (string | null)[]): string {
  return texts
    .filter(Boolean)
    .map(text => ` ${fold(text!)}`)
    .join('\n')
}

/**
 * A pattern for what `searchable` keeps; null when nothing is looked for. Two characters are looked for where words begin:
 * an index knows parts of three, and the space is one.
 */
export function searchPattern(search: string | undefined): string | null {
  if (search === undefined) return null
  const text = fold(search.trim())
  if ([...text].length < 2)
    fail('VALIDATION_ERROR', {
      details: [{ path: 'search', code: 'too_short', message: 'needs two characters beside spaces' }],
    })
  return likePattern([...text].length === 2 ? ` ${text}` : text)
}
