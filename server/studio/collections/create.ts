import { createCollection } from '#contract/studio/collections.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { lockTree } from './collection.access.ts'
import { assertNotTooDeep } from './collection.rules.ts'
import { hasRoom, insertCollection, pathToTop } from './collection.sql.ts'
import { collectionReply } from './read.ts'

/** Creates a collection at the top or below `parentId` (COL-4, COL-5). */
export const create = command(createCollection, async ({ tx, caller, body, audit }) => {
  const parentId = body.parentId ?? null
  const [, ancestors, isRoom] = await tx.inOrder(
    () => lockTree(tx),
    () => (parentId ? pathToTop(tx, parentId) : []),
    () => hasRoom(tx),
  )
  if (parentId && ancestors.length === 0) fail('COLLECTION_NOT_FOUND')
  if (!isRoom) fail('TOO_MANY_COLLECTIONS')
  assertNotTooDeep({ ancestors, levels: 1 })
  const id = newId()
  const isWritten = await insertCollection(tx, {
    id,
    name: body.name.trim(),
    description: body.description ?? '',
    parent_id: parentId,
    icon_name: body.iconName ?? null,
    color: body.color ?? null,
    position: body.position ?? 0,
    owner_id: caller.personId,
  })
  if (!isWritten) fail('COLLECTION_NAME_TAKEN')
  audit(id)
  return collectionReply(tx, caller, id)
})
