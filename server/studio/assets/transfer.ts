import { limits } from '#contract/limits.ts'
import { transferAsset, transferAssetsOf } from '#contract/studio/lifecycle.ts'
import type { Tx } from '#platform/data/db.ts'
import { emit } from '#platform/events/emit.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { command, workflow } from '#platform/http/operation.ts'
import { deleteShareWith, lockGrantees } from '../shares/share.sql.ts'
import { currentReaders, emitAccessLoss } from '../stream/access-loss.ts'
import { type AssetRow, lockAsset } from './asset.access.ts'
import { assetsOfAuthor, countAssetsByAuthor, isKnownMember, memberName } from './asset.sql.ts'
import { notifyAssetTransferred } from './asset-listeners.ts'
import { saveAsset } from './write.ts'

/** Transfers one asset to another author. An ADMIN share does not allow this (AST-36). */
export const transfer = command(transferAsset, async ({ tx, caller, params: { id }, body, audit }) => {
  const [asset] = await tx.inOrder(
    () => lockAsset(tx, caller, id, 'admin'),
    () => lockNewAuthor(tx, body.authorId),
  )
  if (asset.author_id !== caller.personId && !caller.isAdministrator) fail('ASSET_ACCESS_DENIED')
  audit(id)
  if (asset.author_id !== body.authorId) {
    await changeAuthor(tx, caller, asset, body.authorId)
    audit(id, ['author'])
  }
  // The reply omits the asset, because the former author may no longer read it
  return { id, author: { id: body.authorId, name: await memberName(tx, body.authorId) } }
})

/** Assets that one transaction transfers. */
const batchSize = 50

/** Transfers the assets of a person in batches, one transaction each. After a failure, the next call continues. */
export const transferAll = workflow(
  transferAssetsOf,
  async ({ db, transact, caller, params: { personId }, body }) => {
    if (!caller.isAdministrator) fail('PERMISSION_DENIED')
    if (!(await isKnownMember(db, personId))) fail('MEMBER_NOT_FOUND')
    let transferred = 0
    for (let batchLimit = personId === body.authorId ? 0 : batchSize; batchLimit > 0; ) {
      const count = await transact(
        async tx => {
          await lockNewAuthor(tx, body.authorId)
          const ids = await assetsOfAuthor(tx, personId, batchLimit)
          for (const id of ids)
            await changeAuthor(tx, caller, await lockAsset(tx, caller, id, 'admin'), body.authorId)
          return ids.length
        },
        { subject: personId, changed: ['author'] },
      )
      transferred += count
      batchLimit = count < batchLimit ? 0 : Math.min(batchSize, limits.assetsPerHandOver - transferred)
    }
    return { transferred, remaining: await countAssetsByAuthor(db, personId) }
  },
)

/** Locks the membership of the new author until the transaction ends. Fails with AUTHOR_UNKNOWN without one. */
async function lockNewAuthor(tx: Tx, authorId: string): Promise<void> {
  if (!(await lockGrantees(tx, [{ type: 'USER', id: authorId }]))) fail('AUTHOR_UNKNOWN')
}

async function changeAuthor(tx: Tx, caller: Caller, asset: AssetRow, authorId: string): Promise<void> {
  const formerReaders = await currentReaders(tx, asset.id)
  // An author needs no share of their own asset
  await deleteShareWith(tx, asset.id, authorId)
  await saveAsset(tx, asset, { ...asset, author_id: authorId })
  await notifyAssetTransferred(tx, asset.id, authorId)
  emit(tx, caller, 'ai-asset.updated', { assetId: asset.id, slug: asset.slug, changes: ['author'] })
  emitAccessLoss(tx, caller, asset.id, formerReaders)
}
