import { inspect } from 'node:util'

// Elements and values that a test needs. Without one the test fails here, and the error shows what it found

/** A tuple of a number of elements. */
type Tuple<Item, Count extends number, Items extends readonly Item[] = []> = Items['length'] extends Count
  ? Items
  : Tuple<Item, Count, [...Items, Item]>

/** The only element of a list. Throws an error unless the list has exactly one. */
export function only<Item>(list: readonly Item[]): Item {
  if (list.length !== 1) fail('exactly one element', list, only)
  return list[0] as Item
}

/** A list of exactly `count` elements, as a tuple. Throws an error if it has more or fewer. */
export function exactly<Count extends number, Item>(count: Count, list: readonly Item[]): Tuple<Item, Count> {
  if (list.length !== count) fail(`exactly ${count} elements`, list, exactly)
  return list as unknown as Tuple<Item, Count>
}

/** The first `count` elements of a list with at least as many, as a tuple. Throws an error if there are fewer. */
export function atLeast<Count extends number, Item>(count: Count, list: readonly Item[]): Tuple<Item, Count> {
  if (list.length < count) fail(`at least ${count} elements`, list, atLeast)
  return list.slice(0, count) as unknown as Tuple<Item, Count>
}

/** Makes something of each element at the same time. The result of a tuple is a tuple. */
export function mapAll<Items extends readonly unknown[] | [], Made>(
  items: Items,
  make: (item: Items[number], index: number) => Made | Promise<Made>,
): Promise<{ -readonly [Index in keyof Items]: Made }> {
  return Promise.all(items.map(make)) as Promise<{ -readonly [Index in keyof Items]: Made }>
}

/** Makes `count` things at the same time, as a tuple. */
export function makeAll<Count extends number, Made>(
  count: Count,
  make: (index: number) => Made | Promise<Made>,
): Promise<Tuple<Made, Count>> {
  return Promise.all(Array.from({ length: count }, (_, index) => make(index))) as unknown as Promise<
    Tuple<Made, Count>
  >
}

/** The first element of a list. Throws an error if there is none. */
export function firstOf<Item>(list: readonly Item[]): Item {
  if (list.length === 0) fail('a first element', list, firstOf)
  return list[0] as Item
}

/** The last element of a list. Throws an error if there is none. */
export function lastOf<Item>(list: readonly Item[]): Item {
  if (list.length === 0) fail('a last element', list, lastOf)
  return list.at(-1) as Item
}

/** The element at an index, from the end if it is negative. Throws an error if there is none. */
export function itemAt<Item>(list: readonly Item[], index: number): Item {
  const at = index < 0 ? list.length + index : index
  if (!(at in list)) fail(`an element at ${index}`, list, itemAt)
  return list[at] as Item
}

/** The element at an index of a list that begins again after its end. Throws an error if the list is empty. */
export function inTurn<Item>(list: readonly Item[], index: number): Item {
  if (list.length === 0) fail('elements', list, inTurn)
  return list[index % list.length] as Item
}

/** The first element that the predicate accepts. Throws an error if there is none. */
export function findIn<Item>(list: readonly Item[], isWanted: (item: Item) => unknown): Item {
  const index = list.findIndex(isWanted)
  if (index < 0) fail('an element that the predicate accepts', list, findIn)
  return list[index] as Item
}

/** A value that is neither null nor undefined. Throws an error if it is. */
export function defined<Value>(value: Value): NonNullable<Value> {
  if (value === undefined || value === null) fail('a value', value, defined)
  return value
}

/** The first group of the first match in a text. Throws an error if there is none, or no text. */
export function captured(pattern: RegExp, text: string | null | undefined): string {
  const group = pattern.exec(text ?? '')?.[1]
  if (group === undefined) fail(`a match of ${pattern}`, text, captured)
  return group
}

/** The first group of each match in a text. The pattern is global. Throws an error if a match lacks the group. */
export function allCaptured(pattern: RegExp, text: string): string[] {
  return Array.from(text.matchAll(pattern), ([match, group]) => {
    if (group === undefined) fail(`a group of ${pattern}`, match, allCaptured)
    return group
  })
}

function fail(expected: string, found: unknown, caller: (...input: never[]) => unknown): never {
  const error = new Error(`Expected ${expected}, found ${inspect(found, { depth: 4, breakLength: 110 })}`)
  // the trace begins in the test
  Error.captureStackTrace(error, caller)
  throw error
}
