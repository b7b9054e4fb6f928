import { wideSql } from '#platform/db/statement.ts'
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

/**
 * Writes deliveries and what is due of them, at once and together. `$2` is JSON of rows of webhook_delivery with
 * their `shard`. That of a held endpoint is due as well: it waits until the endpoint is resumed.
 */
export const insertDeliveries = wideSql<never, [fence: number, rows: string]>(
  'the relay writes the notices of all organizations whose events are in one batch',
  `with r as materialized (
     select * from jsonb_to_recordset($2::jsonb) as r(
       organization_id text, id text, application_id text, shard smallint, event_id text, event_seq bigint, event text,
       subject jsonb, body text, emitted_at timestamptz)
     where ${isHeld}
   ), written as (
     insert into webhook_delivery (organization_id, id, application_id, event_id, event_seq, event, subject, body, emitted_at, status)
     select r.organization_id, r.id, r.application_id, r.event_id, r.event_seq, r.event, r.subject, r.body, r.emitted_at, 'PENDING' from r
   )
   insert into webhook_due (shard, application_id, due_at, delivery_id, organization_key, trigger)
   select r.shard, r.application_id, clock_timestamp(), r.id, r.organization_id, 'AUTOMATIC' from r`,
)
