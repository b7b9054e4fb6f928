import { limits } from '#contract/limits.ts'
import { transferAsset, transferAssetsOf } from '#contract/studio/lifecycle.ts'
import type { Tx } from '#platform/data/database.ts'
import { emit } from '#platform/events/emit.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { command, workflow } from '#platform/http/operation.ts'
import { deleteShareWith, holdGrantees } from '../shares/share.sql.ts'
import { currentReaders, emitAccessLoss } from '../stream/access-loss.ts'
import { type AssetRow, lockAsset } from './asset.access.ts'
import { assetsOfAuthor, countAssetsByAuthor, isKnownMember, memberName } from './asset.sql.ts'
import { notifyAssetTransferred } from './asset-listeners.ts'
import { saveAsset } from './write.ts'

/** Hands one asset over. Who has an ADMIN share of it may not: the asset stays its author's. */
export const transfer = command(transferAsset, async ({ tx, caller, params: { id }, body, audit }) => {
  const [asset] = await Promise.all([lockAsset(tx, caller, id, 'admin'), lockNewAuthor(tx, body.authorId)])
  if (asset.author_id !== caller.personId && !caller.isAdministrator) fail('ASSET_ACCESS_DENIED')
  audit(id)
  if (asset.author_id !== body.authorId) {
    await changeAuthor(tx, caller, asset, body.authorId)
    audit(id, ['author'])
  }
  // not the asset: the former author may be unable to read it now
  return { id, author: { id: body.authorId, name: await memberName(tx, body.authorId) } }
})

/** Assets that one transaction hands over. */
const batchSize = 50

/** Hands over what a person wrote, some assets in each transaction; what a failure leaves is taken by the next call. */
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

/** Refuses AUTHOR_UNKNOWN unless the person is a member, and stays one until the transaction ends. */
async function lockNewAuthor(tx: Tx, authorId: string): Promise<void> {
  if (!(await holdGrantees(tx, [{ type: 'USER', id: authorId }]))) fail('AUTHOR_UNKNOWN')
}

async function changeAuthor(tx: Tx, caller: Caller, asset: AssetRow, authorId: string): Promise<void> {
  const formerReaders = await currentReaders(tx, asset.id)
  // authors need no share of what they wrote
  await deleteShareWith(tx, asset.id, authorId)
  await saveAsset(tx, asset, { ...asset, author_id: authorId })
  await notifyAssetTransferred(tx, asset.id, authorId)
  emit(tx, caller, 'ai-asset.updated', { assetId: asset.id, slug: asset.slug, changes: ['author'] })
  emitAccessLoss(tx, caller, asset.id, formerReaders)
}
