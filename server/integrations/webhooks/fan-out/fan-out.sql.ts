import { crossTenantSql } from '#platform/data/statement.ts'
import { textArray } from '#platform/data/text-array.ts'
import type { EventSubject } from '#platform/events/emit.ts'
import { isCurrentFence } from '#platform/events/relay.sql.ts'
import { hasModule } from '#server/identity/index.ts'
import type { NewRange } from '../new-range.ts'

/** An endpoint that may receive an event. */
export type SubscribedEndpoint = {
  organizationId: string
  id: string
  slug: string
  shard: number
  events: string[]
  scopes: string[]
}

/** Endpoints that subscribe to one of the names, and those of the subject applications. */
export const selectSubscribed = crossTenantSql<
  SubscribedEndpoint,
  [organizationIds: string[], names: string[], subjects: string[]]
>(
  'the relay serves all organizations whose events are in one batch',
  `select e.organization_id as "organizationId", a.id, a.slug, e.shard, e.events, a.scopes
   from webhook_endpoint e
   join application a on a.organization_id = e.organization_id and a.id = e.application_id
   join organization o on o.id = e.organization_id
   where e.organization_id = any($1) and a.status = 'ACTIVE' and ${hasModule('integrations')} and (e.events && $2 or a.id = any($3))
   order by e.organization_id, a.id`,
)

/** A delivery to write. */
export type DeliveryInsert = {
  organizationId: string
  deliveryId: string
  applicationId: string
  shard: number
  eventId: string
  eventSeq: number
  event: string
  at: string
  about: EventSubject
  body: string
  /** The range of deliveries that are written together for its application. */
  range: NewRange
}
/** The columns of `insertDeliveries` that need no quoting. */
const unquotedColumns = [
  'organizationId',
  'deliveryId',
  'applicationId',
  'eventId',
  'eventSeq',
  'event',
  'at',
] as const

type DeliveryArgs = [fence: number, bodies: Buffer, subjects: Buffer, ...columns: string[]]

/** The arguments of `insertDeliveries`. Needs at least one row. */
export function deliveryArgs(fence: number, rows: readonly DeliveryInsert[]): DeliveryArgs {
  return [
    fence,
    textArray(rows.map(({ body }) => body)),
    textArray(rows.map(({ about }) => JSON.stringify(about))),
    ...unquotedColumns.map(name => `{${rows.map(row => row[name]).join()}}`),
  ]
}

/** Writes deliveries. */
export const insertDeliveries = crossTenantSql<never, DeliveryArgs>(
  'the relay writes deliveries of all organizations whose events are in one batch',
  `insert into webhook_delivery (organization_id, id, application_id, event_id, event_seq, event, subject, body, emitted_at, status)
   select r.organization_id, r.id, r.application_id, r.event_id, r.event_seq, r.event, r.subject::jsonb, r.body, r.emitted_at, 'PENDING'
   from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[], $9::text[], $10::timestamptz[])
     as r(body, subject, organization_id, id, application_id, event_id, event_seq, event, emitted_at)
   where ${isCurrentFence}`,
)

type NewRangeArgs = [
  fence: number,
  shards: number[],
  applicationIds: string[],
  firstIds: string[],
  lastIds: string[],
  organizationIds: string[],
]

/** The arguments of `insertNewRanges`, with one row per application. */
export function newRangeArgs(fence: number, rows: readonly DeliveryInsert[]): NewRangeArgs {
  return [
    fence,
    rows.map(({ shard }) => shard),
    rows.map(({ applicationId }) => applicationId),
    rows.map(({ range }) => range.firstId),
    rows.map(({ range }) => range.lastId),
    rows.map(({ organizationId }) => organizationId),
  ]
}

/** Writes the range of new deliveries of each application. Those of a paused endpoint wait until it is resumed. */
export const insertNewRanges = crossTenantSql<never, NewRangeArgs>(
  'the relay writes deliveries of all organizations whose events are in one batch',
  `insert into webhook_new_range (shard, application_id, first_id, last_id, organization_key, written_at)
   select r.*, clock_timestamp() from unnest($2::smallint[], $3::text[], $4::text[], $5::text[], $6::text[]) r where ${isCurrentFence}`,
)
