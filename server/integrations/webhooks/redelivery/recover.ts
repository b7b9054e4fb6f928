import { recoverDeliveries } from '#contract/integrations/recoveries.ts'
import { limits } from '#contract/limits.ts'
import { command } from '#platform/http/operation.ts'
import { idRangeBetween, timeOfId } from '../deliveries/id-range.ts'
import { assertSends, lockWebhook } from '../endpoint/endpoint.access.ts'
import { wakeDispatcherAfterCommit } from '../endpoint/endpoint.events.ts'
import { assertNoneRuns } from './recoveries.ts'
import { showRecovery } from './redelivery.json.ts'
import { countRecoverable, insertRecovery, moveRecoverable } from './redelivery.sql.ts'

/** Spreads the deliveries over time; the dispatcher then treats them like new ones. */
export const recover = command(
  recoverDeliveries,
  async ({ tx, caller, params: { id }, body, services, audit }) => {
    const {
      since,
      until,
      status = 'FAILED',
      event = null,
      perSecond = limits.recoveryPerSecondDefault,
    } = body
    const locked = await lockWebhook(tx, id)
    const filter = { applicationId: id, status, event, idRange: idRangeBetween(since, until) }
    audit(id)
    if (body.dryRun) {
      const { count, next } = await countRecoverable(tx, filter)
      return { count, next: next && timeOfId(next), recovery: null }
    }
    assertSends(locked)
    await assertNoneRuns(tx, id)
    const { count, next } = await moveRecoverable(tx, filter, locked.webhook.shard, perSecond)
    if (count === 0) return { count, next: next && timeOfId(next), recovery: null }
    const given = {
      kind: 'RECOVERY',
      statusBefore: status,
      perSecond,
      total: count,
      createdBy: caller.personId,
    } as const
    const recovery = await insertRecovery(tx, id, given)
    wakeDispatcherAfterCommit(tx, services, id)
    audit(id, ['recoveries'])
    return { count, next: next && timeOfId(next), recovery: showRecovery(recovery, count) }
  },
)
