import { wideSql } from '#platform/db/statement.ts'
import type { About } from '#platform/emit.ts'
import { isHeld } from '#platform/relay/store.ts'
import { hasModule } from '#server/identity/index.ts'

/** An endpoint that may be told something. */
export type Subscriber = {
  organizationId: string
  id: string
  slug: string
  shard: number
  events: string[]
  scopes: string[]
}

/** Those who asked for one of the names, and the subjects of events that go to one application. */
export const subscribers = wideSql<
  Subscriber,
  [organizationIds: string[], names: string[], subjects: string[]]
>(
  'the relay tells the applications of all organizations whose events are in one batch',
  `select e.organization_id as "organizationId", a.id, a.slug, e.shard, e.events, a.scopes
   from webhook_endpoint e
   join application a on a.organization_id = e.organization_id and a.id = e.application_id
   join organization o on o.id = e.organization_id
   where e.organization_id = any($1) and a.status = 'ACTIVE' and ${hasModule('integrations')} and (e.events && $2 or a.id = any($3))
   order by e.organization_id, a.id`,
)

/** A notice that is to be written. */
export type NoticeRow = {
  organizationId: string
  deliveryId: string
  applicationId: string
  shard: number
  eventId: string
  eventSeq: number
  event: string
  at: string
  about: About
  body: string
}
/** The columns of `insertDeliveries`: arrays of what needs no quotes, which cost less than JSON does, and JSON of what does. */
const plain = [
  ...(['organizationId', 'deliveryId', 'applicationId', 'shard'] as const),
  ...(['eventId', 'eventSeq', 'event', 'at'] as const),
]
const quoted = ['about', 'body'] as const

type NoticeArgs = [fence: number, ...columns: string[]]

/** The arguments of `insertDeliveries`. */
export function noticeArgs(fence: number, rows: readonly NoticeRow[]): NoticeArgs {
  return [
    fence,
    ...plain.map(name => `{${rows.map(row => row[name]).join()}}`),
    ...quoted.map(name => JSON.stringify(rows.map(row => row[name]))),
  ]
}

/**
 * Writes deliveries and what is due of them, at once and together. That of a held endpoint is due as well: it waits
 * until the endpoint is resumed.
 */
export const insertDeliveries = wideSql<never, NoticeArgs>(
  'the relay writes the notices of all organizations whose events are in one batch',
  `with r as materialized (
     select * from rows from (
       unnest($2::text[], $3::text[], $4::text[], $5::smallint[], $6::text[], $7::bigint[], $8::text[], $9::timestamptz[]),
       json_array_elements($10::json), json_array_elements_text($11::json)
     ) as r(organization_id, id, application_id, shard, event_id, event_seq, event, emitted_at, subject, body)
     where ${isHeld}
   ), written as (
     insert into webhook_delivery (organization_id, id, application_id, event_id, event_seq, event, subject, body, emitted_at, status)
     select r.organization_id, r.id, r.application_id, r.event_id, r.event_seq, r.event, r.subject::jsonb, r.body, r.emitted_at, 'PENDING' from r
   )
   insert into webhook_due (shard, application_id, due_at, delivery_id, organization_key, trigger)
   select r.shard, r.application_id, clock_timestamp(), r.id, r.organization_id, 'AUTOMATIC' from r`,
)
