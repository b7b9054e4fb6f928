import { limits } from '#contract/limits.ts'
import { changedFieldNames } from '#platform/changed-fields.ts'
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
  return changedFieldNames(
    {
      name: 'name',
      description: 'description',
      parent_id: 'parentId',
      icon_name: 'iconName',
      color: 'color',
      position: 'position',
    },
    before,
    after,
  )
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
