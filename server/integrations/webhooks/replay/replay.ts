import { replayEvents } from '#contract/integrations/recoveries.ts'
import { limits } from '#contract/limits.ts'
import { nowMs } from '#platform/clock.ts'
import { command } from '#platform/http/operation.ts'
import { newIdsInOrder } from '#platform/ids.ts'
import { inReach } from '../deliveries/reach.ts'
import { assertSends, type Held, lockWebhook } from '../endpoint/endpoint.access.ts'
import { toldAfter } from '../endpoint/endpoint.events.ts'
import { hears } from '../fan-out/fan-out.ts'
import { promiseOf, renderBody, renderData } from '../fan-out/render.ts'
import { assertNoneRuns } from '../recovery/recoveries.ts'
import { showRecovery } from '../recovery/redelivery.json.ts'
import { insertRecovery } from '../recovery/redelivery.sql.ts'
import { firstId } from '../retention/days.ts'
import { type EventRow, insertReplayed, type NewDelivery, untoldEvents } from './replay.sql.ts'

const hourMs = 3_600_000

/** Tells what the webhook asks for now, by the rules of every new event. */
export const replay = command(replayEvents, async ({ tx, caller, params: { id }, body, services, audit }) => {
  const { since = null, perSecond = limits.recoveryPerSecondDefault } = body
  const held = await lockWebhook(tx, id)
  const { webhook } = held
  audit(id)
  if (!body.dryRun) {
    assertSends(held)
    await assertNoneRuns(tx, id)
  }
  // clocks may differ by an hour
  const toldFrom = firstId(nowMs() - (limits.streamReplayHours + 1) * hourMs)
  const events = await untoldEvents(tx, id, webhook.events, since, toldFrom)
  const next = events.length === limits.recoveryDeliveries ? events.at(-1)!.at : null
  const named = events.map(event => ({ ...event, event: event.name }))
  const rows = deliveriesOf(held, await inReach(tx, services.recipients, id, named))
  if (body.dryRun || rows.length === 0) return { count: rows.length, next, recovery: null }

  await insertReplayed(tx, id, webhook.shard, perSecond, rows)
  const given = { kind: 'REPLAY', before: 'CANCELLED', perSecond, total: rows.length } as const
  const recovery = await insertRecovery(tx, id, { ...given, createdBy: caller.personId })
  toldAfter(tx, services, id)
  audit(id, ['recoveries'])
  return { count: rows.length, next, recovery: showRecovery(recovery, rows.length) }
})

function deliveriesOf({ application, webhook }: Held, events: readonly EventRow[]): NewDelivery[] {
  const one = { id: application.id, events: webhook.events, scopes: application.scopes }
  const told = events.flatMap(event => {
    const promise = promiseOf(event.name)
    return promise && hears(one, { ...event, about: event.about ?? undefined }, promise)
      ? [{ event, promise }]
      : []
  })
  const ids = newIdsInOrder(told.length)
  return told.map(({ event, promise }, place) => ({
    id: ids[place]!,
    place,
    event_id: event.id,
    event_seq: event.seq,
    name: event.name,
    subject: event.about ?? {},
    emitted_at: event.at,
    body: renderBody(event, application, renderData(event.data, promise), promise.schemaVersion),
  }))
}
