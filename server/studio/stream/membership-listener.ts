import { limits } from '#contract/limits.ts'
import type { MembershipListener } from '#platform/events/membership-listener.ts'
import { emitAccessLossFor } from './access-loss.ts'
import { assetsLostWithUnit } from './studio-stream.sql.ts'

/** Emits one event for each asset that a person loses by leaving a unit. */
export const studioMembershipListener: Pick<MembershipListener, 'unitLeft'> = {
  async unitLeft(tx, actor, personId, unitId) {
    const lost = await assetsLostWithUnit(tx, personId, unitId, limits.assetsLostAtOnce)
    for (const assetId of lost) emitAccessLossFor(tx, actor, assetId, personId)
  },
}
