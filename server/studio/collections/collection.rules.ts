import { limits } from '#contract/limits.ts'
import { fail } from '#platform/fail.ts'
import type { CollectionRow } from './collection.access.ts'

/** Where a collection is to be: the ids from its new parent up to the top, and its levels with all below it. */
export type TreePosition = { ancestors: readonly string[]; levels: number }

/** Refuses COLLECTION_TOO_DEEP when the tree would have more levels than `limits.collectionDepth`. */
export function assertNotTooDeep({ ancestors, levels }: TreePosition): void {
  if (ancestors.length + levels > limits.collectionDepth) fail('COLLECTION_TOO_DEEP')
}

/** Refuses COLLECTION_CYCLE when a collection would stand below itself. */
export function assertNoCycle(id: string, { ancestors }: TreePosition): void {
  if (ancestors.includes(id)) fail('COLLECTION_CYCLE')
}

/** The fields that differ, by their names on the wire. */
export function changedFields(before: CollectionRow, after: CollectionRow): string[] {
  const fields: [name: string, before: unknown, after: unknown][] = [
    ['name', before.name, after.name],
    ['description', before.description, after.description],
    ['parentId', before.parent_id, after.parent_id],
    ['iconName', before.icon_name, after.icon_name],
    ['color', before.color, after.color],
    ['position', before.position, after.position],
  ]
  return fields.filter(([, was, is]) => was !== is).map(([name]) => name)
}

/** How many assets a list is about: readable (shares apart) and filed in the collection, filed in it, and in all. */
export type Sizes = { readable: number; filed: number; listed: number }

/**
 * Whether the first `length` assets of a collection are found sooner by walking through the catalogue in its
 * order than by sorting what is filed.
 */
export function isWalk({ readable, filed, listed }: Sizes, length: number): boolean {
  return readable > 0 && (Math.min(length, readable) * listed) / readable < filed
}
