import { unquotedColumnsOf } from '#platform/data/columns.ts'
import { crossTenantSql } from '#platform/data/statement.ts'
import { textArray } from '#platform/data/text-array.ts'
import { areCurrentFences } from '#platform/events/relay-lease.sql.ts'
import { hasModule } from '#server/identity/index.ts'
import type { WrittenDelivery } from '../due-delivery.ts'

/** An endpoint that may receive an event. */
export type SubscribedEndpoint = {
  organization_id: string
  id: string
  slug: string
  shard: number
  events: string[]
  scopes: string[]
}

/** Endpoints that subscribe to one of the names, and those of the subject applications. */
export const selectSubscribed = crossTenantSql<
  SubscribedEndpoint,
  { organizationIds: string[]; names: string[]; subjects: string[] }
>(
  'the relay serves all organizations whose events are in one batch',
  `select e.organization_id, a.id, a.slug, e.shard, e.events, a.scopes
   from webhook_endpoint e
   join application a on a.organization_id = e.organization_id and a.id = e.application_id
   join organization o on o.id = e.organization_id
   where e.organization_id = any($organizationIds) and a.status = 'ACTIVE' and ${hasModule('integrations')}
     and (e.events && $names or a.id = any($subjects))
   order by e.organization_id, a.id`,
)

/** A delivery to write. */
export type DeliveryInsert = WrittenDelivery & { eventId: string; eventSeq: number; at: string }

const unquotedColumns = {
  organizationIds: 'organizationId',
  ids: 'deliveryId',
  applicationIds: 'applicationId',
  eventIds: 'eventId',
  eventSeqs: 'eventSeq',
  events: 'event',
  times: 'at',
} as const
type DeliveryArgs = Record<keyof typeof unquotedColumns, string> & {
  fences: readonly number[]
  bodies: Buffer
  subjects: Buffer
}

/** The arguments of `insertDeliveries`. Needs at least one row. */
export function deliveryArgs(fences: readonly number[], rows: readonly DeliveryInsert[]): DeliveryArgs {
  return {
    fences,
    bodies: textArray(rows.map(({ body }) => body)),
    subjects: textArray(rows.map(({ about }) => JSON.stringify(about))),
    ...unquotedColumnsOf(rows, unquotedColumns),
  }
}

/** Writes deliveries. */
export const insertDeliveries = crossTenantSql<never, DeliveryArgs>(
  'the relay writes deliveries of all organizations whose events are in one batch',
  `insert into webhook_delivery (organization_id, id, application_id, event_id, event_seq, event, subject,
    body, emitted_at, status)
   select r.organization_id, r.id, r.application_id, r.event_id, r.event_seq, r.event, r.subject::jsonb,
     r.body, r.emitted_at, 'PENDING'
   from unnest($bodies::text[], $subjects::text[], $organizationIds::text[], $ids::text[], $applicationIds::text[],
     $eventIds::text[], $eventSeqs::bigint[], $events::text[], $times::timestamptz[])
     as r(body, subject, organization_id, id, application_id, event_id, event_seq, event, emitted_at)
   where ${areCurrentFences}`,
)

type NewRangeArgs = {
  fences: readonly number[]
  shards: number[]
  applicationIds: string[]
  firstIds: string[]
  lastIds: string[]
  organizationIds: string[]
}

/** The arguments of `insertNewRanges`, with one row per application. */
export function newRangeArgs(fences: readonly number[], rows: readonly DeliveryInsert[]): NewRangeArgs {
  return {
    fences,
    shards: rows.map(({ shard }) => shard),
    applicationIds: rows.map(({ applicationId }) => applicationId),
    firstIds: rows.map(({ range }) => range.firstId),
    lastIds: rows.map(({ range }) => range.lastId),
    organizationIds: rows.map(({ organizationId }) => organizationId),
  }
}

/** Writes the range of new deliveries of each application. Those of a paused endpoint wait until it is resumed. */
export const insertNewRanges = crossTenantSql<never, NewRangeArgs>(
  'the relay writes deliveries of all organizations whose events are in one batch',
  `insert into webhook_new_range (shard, application_id, first_id, last_id, organization_key, written_at)
   select r.*, clock_timestamp() from unnest($shards::smallint[], $applicationIds::text[], $firstIds::text[],
     $lastIds::text[], $organizationIds::text[]) r where ${areCurrentFences}`,
)
