import { limits } from '#contract/limits.ts'
import { fail } from '#platform/fail.ts'
import type { CollectionRow } from './collection.access.ts'

/** A position in the tree: the ids from the new parent up to the top, and the levels of the moved subtree. */
export type TreePosition = { ancestors: readonly string[]; levels: number }

/** Fails with COLLECTION_TOO_DEEP if the tree would have more levels than `limits.collectionDepth`. */
export function assertNotTooDeep({ ancestors, levels }: TreePosition): void {
  if (ancestors.length + levels > limits.collectionDepth) fail('COLLECTION_TOO_DEEP')
}

/** Fails with COLLECTION_CYCLE if a collection would be below itself. */
export function assertNoCycle(id: string, { ancestors }: TreePosition): void {
  if (ancestors.includes(id)) fail('COLLECTION_CYCLE')
}

/** The names of the changed fields, as on the wire. */
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

/** Asset counts for a list: readable without shares and in the collection, in the collection, and in total. */
export type CollectionSizes = { readable: number; filed: number; listed: number }

/**
 * Whether scanning the catalogue in order finds the first `length` assets of a collection sooner than sorting the assets
 * of the collection.
 */
export function prefersScan({ readable, filed, listed }: CollectionSizes, length: number): boolean {
  return readable > 0 && (Math.min(length, readable) * listed) / readable < filed
}
