import { isDeepStrictEqual } from 'node:util'

/**
 * The API names of the fields that differ between two states of an object, in the order of `names`. For a new object, the
 * fields with a value.
 *
 * @param names the fields that count: a list, or the API name of each
 */
export function changedFieldNames<Field extends string>(
  names: readonly Field[] | Readonly<Record<Field, string>>,
  before: Readonly<Record<NoInfer<Field>, unknown>> | null | undefined,
  after: Readonly<Partial<Record<NoInfer<Field>, unknown>>>,
): string[] {
  const fields = (Array.isArray(names) ? names.map(name => [name, name]) : Object.entries(names)) as [
    Field,
    string,
  ][]
  return fields
    .filter(([field]) => !isDeepStrictEqual(before?.[field] ?? null, after[field] ?? null))
    .map(([, name]) => name)
}
