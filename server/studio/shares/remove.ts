import { removeShare } from '#contract/studio/shares.ts'
import { emit } from '#platform/events/emit.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import { lockAsset } from '../assets/asset.access.ts'
import { assertNotArchived, isOpen } from '../assets/asset.rules.ts'
import { emitAccessLoss, readersByShares } from '../stream/access-loss.ts'
import { activeShareOf, deleteShare } from './share.sql.ts'

/** Revokes a share. Callers cannot revoke a level that they do not have (SHR-4). */
export const remove = command(removeShare, async ({ tx, caller, params: { id, shareId }, audit }) => {
  const [asset, share] = await tx.inOrder(
    () => lockAsset(tx, caller, id, 'edit'),
    () => activeShareOf(tx, id, shareId),
  )
  if (share === undefined) fail('SHARE_NOT_FOUND')
  if (share.rank > asset.access) fail('SHARE_ABOVE_OWN_LEVEL')
  assertNotArchived(asset)
  await deleteShare(tx, id, shareId)
  audit(id, ['shares'])
  emit(tx, caller, 'ai-asset.updated', { assetId: id, slug: asset.slug, changes: ['shares'] })
  if (!isOpen(asset))
    emitAccessLoss(tx, caller, id, readersByShares([{ type: share.grantee_kind, id: share.grantee_id }]))
})
