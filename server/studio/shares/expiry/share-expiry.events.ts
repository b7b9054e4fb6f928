import type { Database } from '#platform/data/database.ts'
import type { Tx } from '#platform/data/db.ts'
import { recordEvents } from '#platform/events/audit.ts'
import { emitAccessLoss, readersByShares } from '../../stream/access-loss.ts'
import { claimExpiredShares, selectExpiredShares } from './share-expiry.sql.ts'

const batchSize = 500
/** Time expires a share, so the event has no actor. */
const noActor = { personId: '' }

/**
 * Emits one event with the id of the asset to people who lost access because a share expired, as when a share is revoked.
 * Each expiry is announced once, even with several workers. Returns how many expired shares were found.
 */
export async function announceExpiredShares(database: Database): Promise<number> {
  const expired = await selectExpiredShares(database, batchSize)
  const byOrganization = Map.groupBy(expired, share => share.organization_id)
  for (const [organizationId, shares] of byOrganization) {
    const ids = shares.map(({ id }) => id)
    await database.transact(organizationId, tx => emitExpiry(tx, ids), recordEvents)
  }
  return expired.length
}

async function emitExpiry(tx: Tx, ids: readonly string[]): Promise<void> {
  const claimed = (await claimExpiredShares(tx, ids)).filter(share => share.lost_access)
  for (const [assetId, shares] of Map.groupBy(claimed, share => share.asset_id)) {
    const grantees = shares.map(share => ({ type: share.grantee_kind, id: share.grantee_id }))
    emitAccessLoss(tx, noActor, assetId, readersByShares(grantees))
  }
}
