import { limits } from '#contract/limits.ts'
import { createShare } from '#contract/studio/shares.ts'
import { emit } from '#platform/events/emit.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import { required } from '#platform/required.ts'
import { lockAsset, readerOf } from '../assets/asset.access.ts'
import { assertNotArchived } from '../assets/asset.rules.ts'
import { moveInSearch } from '../assets/catalogue/index.ts'
import { showShare } from './share.json.ts'
import { assertNotAuthor, assertValidExpiry, granteesOf, rankOf } from './share.rules.ts'
import { lockGrantees, putShares, shareCheck } from './share.sql.ts'

/**
 * Shares an asset. Callers cannot grant a level that they do not have, or for longer than they have it (SHR-4): with EDIT
 * access until Friday, a share ends on Friday at the latest. A call without changes emits no event.
 */
export const create = command(createShare, async ({ tx, caller, params, body, audit }) => {
  const { accessLevel: level = 'READ', expiresAt = null } = body
  const grantees = granteesOf(body)
  const rank = Math.max(rankOf(level), rankOf('EDIT'))
  const [asset, allExist, found] = await tx.inOrder(
    () => lockAsset(tx, caller, params.id, 'edit'),
    () => lockGrantees(tx, grantees),
    () =>
      shareCheck(
        tx,
        readerOf(caller),
        params.id,
        { rank, expiresAt, longestDays: limits.shareDays },
        grantees,
      ),
  )
  // lockAsset found the asset
  const offer = required(found, 'what the caller may share')
  assertValidExpiry(offer)
  assertNotAuthor(grantees, asset)
  if (!allExist) fail('GRANTEE_UNKNOWN')
  if (!offer.isOwn || offer.highest > asset.access) fail('SHARE_ABOVE_OWN_LEVEL')
  assertNotArchived(asset)

  const terms = { level, expiresAt, sharedBy: caller.personId }
  const [{ shares, changed, count }] = await Promise.all([
    putShares(tx, asset, grantees, terms),
    // Grantees of an existing share find the asset already
    offer.there < grantees.length && moveInSearch(tx, asset.id, asset),
  ])
  if (count > limits.sharesPerAsset) fail('TOO_MANY_SHARES')
  audit(asset.id, changed > 0 ? ['shares'] : [])
  if (changed > 0) emit(tx, caller, 'ai-asset.shared', { assetId: asset.id, slug: asset.slug })
  const replies = shares.map(showShare)
  return { ...replies[0]!, shares: replies }
})
