import { removeShare } from '#contract/studio/shares.ts'
import { emit } from '#platform/emit.ts'
import { fail } from '#platform/fail.ts'
import { changes } from '#platform/serve.ts'
import { lockAsset } from '../assets/access.ts'
import { assertNotArchived, isOpen } from '../assets/rules.ts'
import { announceAccessLoss, readersByShares } from '../stream/access-loss.ts'
import { deleteShare, standingShareOf } from './store.ts'

/** Revokes a share. Nobody takes away a level that they do not have themselves (SHR-4). */
export const remove = changes(removeShare, async ({ tx, caller, params: { id, shareId }, audits }) => {
  const [asset, share] = await Promise.all([
    lockAsset(tx, caller, id, 'edit'),
    standingShareOf(tx, id, shareId),
  ])
  if (share === undefined) fail('SHARE_NOT_FOUND')
  if (share.rank > asset.access) fail('SHARE_ABOVE_OWN_LEVEL')
  assertNotArchived(asset)
  await deleteShare(tx, id, shareId)
  audits(id, ['shares'])
  emit(tx, caller, 'ai-asset.updated', { assetId: id, slug: asset.slug, changes: ['shares'] })
  if (!isOpen(asset))
    announceAccessLoss(tx, caller, id, readersByShares([{ type: share.grantee_kind, id: share.grantee_id }]))
})
