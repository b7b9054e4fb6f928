import type { Collection } from '#contract/studio/collections.ts'
import { studioLimits } from '#contract/studio/limits.ts'
import type { TreeNode } from '../../parts/tree.tsx'

/** The id of the line for the top level in the tree. */
export const topId = 'top'

type Placed = Pick<Collection, 'id' | 'name' | 'parentId' | 'path'>

/** The collections as a tree, in the order of the list. */
export function treeOf(
  collections: readonly (Placed & Pick<Collection, 'assetCount'>)[],
  hrefOf: (id: string) => string,
): TreeNode[] {
  const known = new Set(collections.map(({ id }) => id))
  const childrenOf = (parentId: string | null): TreeNode[] =>
    collections
      // the parents of a collection come before it, but a part of a long list may begin below one
      .filter(one => (one.parentId !== null && known.has(one.parentId) ? one.parentId : null) === parentId)
      .map(({ id, name, assetCount }) => ({
        id,
        label: name,
        icon: 'collections',
        href: hrefOf(id),
        ...(assetCount > 0 && { count: assetCount }),
        children: childrenOf(id),
      }))
  return childrenOf(null)
}

/** Why a collection cannot go into another one: null is the top level. */
export type MoveObstacle = 'there' | 'itself' | 'below' | 'depth' | 'name'

/** Knows the refusals of the server before a drop, so that nothing is dropped where it cannot stay (COL-4 to COL-6). */
export function obstacleToMove(
  collections: readonly Placed[],
  moved: Placed,
  into: Placed | null,
): MoveObstacle | undefined {
  const parentId = into?.id ?? null
  if (moved.parentId === parentId) return 'there'
  if (moved.id === parentId) return 'itself'
  if (into?.path.some(({ id }) => id === moved.id)) return 'below'
  const own = collections.filter(({ path }) => path.some(({ id }) => id === moved.id))
  const levels = Math.max(moved.path.length, ...own.map(({ path }) => path.length)) - moved.path.length + 1
  if ((into?.path.length ?? 0) + levels > studioLimits.collectionDepth) return 'depth'
  const isTaken = collections.some(
    one => one.parentId === parentId && one.id !== moved.id && isSameName(one.name, moved.name),
  )
  return isTaken ? 'name' : undefined
}

/** Names differ, but not by case and accents alone. */
function isSameName(one: string, other: string): boolean {
  return one.trim().localeCompare(other.trim(), 'es', { sensitivity: 'base' }) === 0
}

/** Whether a collection can have collections inside. */
export function hasRoomBelow({ path }: Placed): boolean {
  return path.length < studioLimits.collectionDepth
}

/** A collection by its whole path: “Marca / Tono”. */
export function pathText({ path }: Placed): string {
  return path.map(({ name }) => name).join(' / ')
}
