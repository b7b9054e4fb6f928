/**
 * The value, where its type cannot say that it is always there.
 *
 * @param what names it in the error: `the country of a recipient`
 * @throws Error if it is null or undefined, which is a defect of the program and no refusal
 */
export function required<Value>(value: Value, what: string): NonNullable<Value> {
  if (value === null || value === undefined) throw new Error(`There is no value for ${what}`)
  return value
}

/** The first element of a list that is never empty. Throws an Error if it is. */
export function firstOf<Element>(list: readonly Element[]): NonNullable<Element> {
  return required(list[0], 'the first element of a list')
}

/** The last element of a list that is never empty. Throws an Error if it is. */
export function lastOf<Element>(list: readonly Element[]): NonNullable<Element> {
  return required(list.at(-1), 'the last element of a list')
}

/** The value of a key that is always in the map. Throws an Error that names the key if it is not. */
export function lookUp<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): NonNullable<Value> {
  return required(map.get(key), `the key ${String(key)}`)
}
