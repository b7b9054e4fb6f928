import type { Input } from '#contract/operation.ts'
import { updateCollection } from '#contract/studio/collections.ts'
import type { Tx } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import { type CollectionRow, lockCollection, lockTree } from './collection.access.ts'
import { assertNoCycle, assertNotTooDeep, changedFields, type TreePosition } from './collection.rules.ts'
import { levelCount, pathToTop, setCollection } from './collection.sql.ts'
import { collectionReply } from './read.ts'

type Body = Input<typeof updateCollection>['body']

/**
 * Updates a collection. A different `parentId` moves it with everything below it (COL-6). A call without changes writes
 * nothing.
 */
export const update = command(updateCollection, async ({ tx, caller, params: { id }, body, audit }) => {
  const [, before] = await tx.inOrder(
    () => (body.parentId === undefined ? undefined : lockTree(tx)),
    () => lockCollection(tx, id),
  )
  const after = withUpdatedFields(before, body)
  if (after.parent_id !== null && after.parent_id !== before.parent_id) {
    const target = await positionBelow(tx, after.parent_id, id)
    assertNoCycle(id, target)
    assertNotTooDeep(target)
  }
  const changed = changedFields(before, after)
  audit(id, changed)
  if (changed.length > 0 && !(await setCollection(tx, after))) fail('COLLECTION_NAME_TAKEN')
  return collectionReply(tx, caller, id)
})

function withUpdatedFields(before: CollectionRow, body: Body): CollectionRow {
  const { name, description, parentId, iconName, color, position } = body
  return {
    ...before,
    ...(name !== undefined && { name: name.trim() }),
    ...(description !== undefined && { description }),
    ...(parentId !== undefined && { parent_id: parentId }),
    ...(iconName !== undefined && { icon_name: iconName }),
    ...(color !== undefined && { color }),
    ...(position !== undefined && { position }),
  }
}

/** Fails with COLLECTION_NOT_FOUND if the new parent does not exist. */
async function positionBelow(tx: Tx, parentId: string, id: string): Promise<TreePosition> {
  const [ancestors, levels] = await Promise.all([pathToTop(tx, parentId), levelCount(tx, id)])
  if (ancestors.length === 0) fail('COLLECTION_NOT_FOUND')
  return { ancestors, levels }
}
