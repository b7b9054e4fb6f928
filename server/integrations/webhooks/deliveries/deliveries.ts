import {
  listDeliveries,
  listOrganizationDeliveries,
  listOwnDeliveries,
  type OwnDelivery,
  readDelivery,
  retryDelivery,
} from '#contract/integrations/deliveries.ts'
import { limits } from '#contract/limits.ts'
import type { Input } from '#contract/operation.ts'
import type { Tx } from '#platform/data/db.ts'
import type { EventSubject } from '#platform/events/emit.ts'
import type { RecipientsResolver } from '#platform/events/recipients-resolver.ts'
import { fail } from '#platform/fail.ts'
import { applicationOf } from '#platform/http/caller.ts'
import { command, query, type ServedOperation } from '#platform/http/operation.ts'
import { pageOf } from '#platform/http/pagination.ts'
import { firstId } from '#platform/ids.ts'
import { lookUp } from '#platform/required.ts'
import { applicationFor } from '../../applications/application.access.ts'
import { applicationNames } from '../../applications/application.sql.ts'
import { type ApplicationWebhook, assertSends, lockWebhook } from '../endpoint/endpoint.access.ts'
import { wakeDispatcherAfterCommit } from '../endpoint/endpoint.events.ts'
import { assertMayReadBody, mayPull, mayReceive } from './delivery.rules.ts'
import {
  type DeliveryFilter,
  databaseMs,
  deliveriesAfter,
  deliveryWithHistory,
  insertManualRetry,
  listPage,
  lockDelivery,
  type PulledDeliveryRow,
} from './delivery.sql.ts'
import { idRangeBetween } from './id-range.ts'
import { pageOfApplications } from './organization-delivery.sql.ts'
import { filterPermitted } from './permitted-deliveries.ts'

type ListQuery = Input<typeof listDeliveries>['query']

function filterOf(query: ListQuery): DeliveryFilter {
  const { status, event, since, until, ids, before } = query
  const idRange = idRangeBetween(since, until)
  if (before !== undefined && before < idRange.to) idRange.to = before
  return {
    status: status ?? null,
    event: event ?? null,
    idRange,
    ids: ids ?? null,
    limit: pageOf(query).limit,
  }
}

/** Works also after the webhook was deleted. */
const list = query(listDeliveries, async ({ db, params: { id }, query }) => {
  const [page] = await Promise.all([listPage(db, id, filterOf(query)), applicationFor(db, id)])
  return page
})

/** The deliveries to all applications that are not deleted (DLV-22). */
const listAll = query(listOrganizationDeliveries, async ({ db, query }) => {
  const { applicationId } = query
  const names = await applicationNames(db)
  if (applicationId !== undefined && !names.has(applicationId)) fail('APPLICATION_NOT_FOUND')
  const applicationIds = applicationId === undefined ? [...names.keys()] : [applicationId]
  const { rows, nextBefore } = await pageOfApplications(db, applicationIds, filterOf(query))
  const items = rows.map(row => ({ ...row, applicationName: lookUp(names, row.applicationId) }))
  return { items, nextBefore }
})

const read = query(readDelivery, async ({ db, caller, params: { id, deliveryId } }) => {
  const [stored, application] = await Promise.all([
    deliveryWithHistory(db, id, deliveryId),
    applicationFor(db, id),
  ])
  if (!stored) fail('DELIVERY_NOT_FOUND')
  const { about, ...delivery } = stored
  assertMayReadBody(caller, application, { event: delivery.event, about })
  return delivery
})

/** Schedules one attempt, which the dispatcher recognizes by its trigger. */
const retry = command(retryDelivery, async ({ tx, params: { id, deliveryId }, services, audit }) => {
  const [locked, delivery] = await tx.inOrder(
    () => lockWebhook(tx, id),
    () => lockDelivery(tx, id, deliveryId),
  )
  if (!delivery) fail('DELIVERY_NOT_FOUND')
  assertSends(locked)
  if (delivery.status === 'PENDING') fail('DELIVERY_PENDING')
  if (delivery.attempts >= limits.webhookDeliveryAttempts) fail('DELIVERY_EXHAUSTED')
  await assertMayReceive(tx, services.recipients, locked, delivery)
  const pending = await insertManualRetry(tx, id, locked.webhook.shard, delivery)
  if (!pending) fail('DELIVERY_PENDING')
  wakeDispatcherAfterCommit(tx, services, id)
  audit(deliveryId, ['status'])
  return pending
})

/** Refuses DELIVERY_NOT_AUTHORIZED. The attempt checks again, because access may change before it. */
async function assertMayReceive(
  tx: Tx,
  recipients: RecipientsResolver,
  { application: { id, scopes } }: ApplicationWebhook,
  delivery: { event: string; about: EventSubject },
): Promise<void> {
  const isPermitted = mayReceive(new Set(scopes), delivery)
  if (!isPermitted || (await filterPermitted(tx, recipients, id, [delivery])).length === 0)
    fail('DELIVERY_NOT_AUTHORIZED')
}

/** Lists deliveries in the order of writing: no earlier one can appear after one that was shown. */
const own = query(listOwnDeliveries, async ({ db, caller, query, services }) => {
  const { after = '' } = query
  const { limit } = pageOf(query)
  const before = firstId((await databaseMs(db)) - limits.deliverySettleSeconds * 1000)
  const rows = await deliveriesAfter(db, applicationOf(caller), after, before, limit + 1)
  const page = rows.slice(0, limit)
  const visible = page.filter(row => mayPull(caller.scopes, row))
  const items = await filterPermitted(db, services.recipients, applicationOf(caller), visible)
  return {
    items: items.map(showOwn),
    nextAfter: page.at(-1)?.id ?? (after || null),
    hasMore: rows.length > page.length,
  }
})

function showOwn({ id, event, emitted_at, status, body }: PulledDeliveryRow): OwnDelivery {
  return { id, event, emittedAt: emitted_at, status, body: JSON.parse(body) as OwnDelivery['body'] }
}

/** The operations of deliveries: `/api/integrations/applications/:id/webhook/deliveries` and `/api/external/v1/deliveries`. */
export const deliveryOperations: ServedOperation[] = [list, listAll, read, retry, own]
