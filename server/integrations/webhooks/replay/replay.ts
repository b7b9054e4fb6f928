import { replayEvents } from '#contract/integrations/recoveries.ts'
import { limits } from '#contract/limits.ts'
import { nowMs } from '#platform/clock.ts'
import { command } from '#platform/http/operation.ts'
import { firstId, newIdsInOrder } from '#platform/ids.ts'
import { lastOf, required } from '#platform/required.ts'
import { filterPermitted } from '../deliveries/permitted-deliveries.ts'
import { type ApplicationWebhook, assertSends, lockWebhook } from '../endpoint/endpoint.access.ts'
import { wakeDispatcherAfterCommit } from '../endpoint/endpoint.events.ts'
import { isRecipient } from '../fan-out/fan-out.ts'
import { eventDefinition, renderBody, renderData } from '../fan-out/render.ts'
import { assertNoneRuns } from '../redelivery/recoveries.ts'
import { showRecovery } from '../redelivery/redelivery.json.ts'
import { insertRecovery } from '../redelivery/redelivery.sql.ts'
import { insertReplayed, missedEvents, type ReplayableEventRow, type ReplayedDelivery } from './replay.sql.ts'

const hourMs = 3_600_000

/** Delivers missed events of the current subscription, by the same rules as new events. */
export const replay = command(replayEvents, async ({ tx, caller, params: { id }, body, services, audit }) => {
  const { since = null, perSecond = limits.recoveryPerSecondDefault } = body
  const locked = await lockWebhook(tx, id)
  const { webhook } = locked
  audit(id)
  if (!body.dryRun) {
    assertSends(locked)
    await assertNoneRuns(tx, id)
  }
  // clocks may differ by an hour
  const deliveredSince = firstId(nowMs() - (limits.streamReplayHours + 1) * hourMs)
  const events = await missedEvents(tx, id, webhook.events, since, deliveredSince)
  const next = events.length === limits.recoveryDeliveries ? lastOf(events).at : null
  const named = events.map(event => ({ ...event, event: event.name }))
  const rows = deliveriesOf(locked, await filterPermitted(tx, services.recipients, id, named))
  if (body.dryRun || rows.length === 0) return { count: rows.length, next, recovery: null }

  await insertReplayed(tx, id, webhook.shard, perSecond, rows)
  const given = { kind: 'REPLAY', statusBefore: 'CANCELLED', perSecond, total: rows.length } as const
  const recovery = await insertRecovery(tx, id, { ...given, createdBy: caller.personId })
  wakeDispatcherAfterCommit(tx, services, id)
  audit(id, ['recoveries'])
  return { count: rows.length, next, recovery: showRecovery(recovery, rows.length) }
})

function deliveriesOf(
  { application, webhook }: ApplicationWebhook,
  events: readonly ReplayableEventRow[],
): ReplayedDelivery[] {
  const one = { id: application.id, events: webhook.events, scopes: application.scopes }
  const matching = events.flatMap(event => {
    const definition = eventDefinition(event.name)
    const occurrence = { name: event.name, actorId: event.actor_id, about: event.about ?? undefined }
    return definition && isRecipient(one, occurrence, definition) ? [{ event, definition }] : []
  })
  const ids = newIdsInOrder(matching.length)
  return matching.map(({ event, definition }, position) => ({
    id: required(ids[position], 'the id of a delivery'),
    position,
    event_id: event.id,
    event_seq: event.seq,
    name: event.name,
    subject: event.about ?? {},
    emitted_at: event.at,
    body: renderBody(event, application, renderData(event.data, definition), definition.schemaVersion),
  }))
}
