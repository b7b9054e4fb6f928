import { newId } from '#platform/ids.ts'
import { openCipher } from '#platform/security/cipher.ts'
import { secretPurpose } from '#server/integrations/webhooks/engine.ts'
import { shardOf } from '#server/integrations/webhooks/shards/shard.ts'

/** Runs plain SQL. */
export type Sql = <Row extends object = Record<string, unknown>>(
  text: string,
  values?: unknown[],
) => Promise<Row[]>
export type TestEndpoint = { id: string; organizationId: string; slug: string; secret: string; shard: number }

export const signInSecret = 'a secret of this test that is long enough'
const cipher = openCipher([signInSecret])

/** An organization with one member, who can be the principal of applications. */
export async function insertOrganization(sql: Sql): Promise<{ organizationId: string; personId: string }> {
  const [organizationId, personId] = [newId(), newId()]
  await sql(`insert into organization (id, name, plan) values ($1, 'Home', 'ENTERPRISE')`, [organizationId])
  await sql(`insert into person (id, name, email, email_verified) values ($1, 'P', $2, true)`, [
    personId,
    `${personId}@example.test`,
  ])
  await sql(
    `insert into membership (organization_id, person_id, role, name, email) values ($1, $2, 'OWNER', 'P', 'p@example.test')`,
    [organizationId, personId],
  )
  return { organizationId, personId }
}

/** Inserts an application with a webhook. */
export async function insertEndpoint(
  sql: Sql,
  home: { organizationId: string; personId: string },
  options: {
    url: string
    events?: string[]
    scopes?: string[]
    maxPerSecond?: number
    ordered?: boolean
    id?: string
  },
): Promise<TestEndpoint> {
  const { url, events = [], scopes = [], maxPerSecond = null, ordered = false, id = newId() } = options
  const { organizationId, personId } = home
  const secret = `whsec_${newId()}`
  const slug = `app-${id}`
  await sql(
    `insert into application (organization_id, id, slug, name, principal_id, status, scopes)
     values ($1, $2, $3, 'App', $4, 'ACTIVE', $5)`,
    [organizationId, id, slug, personId, scopes],
  )
  await sql(
    `insert into webhook_endpoint (organization_id, application_id, shard, url, events, status, max_per_second, is_ordered)
     values ($1, $2, $3, $4, $5, 'ACTIVE', $6, $7)`,
    [organizationId, id, shardOf(id), url, events, maxPerSecond, ordered],
  )
  await sql(
    `insert into webhook_secret (organization_id, application_id, id, sealed, state) values ($1, $2, $3, $4, 'CURRENT')`,
    [organizationId, id, newId(), cipher.hide(secretPurpose, secret)],
  )
  return { id, organizationId, slug, secret, shard: shardOf(id) }
}

/** Inserts new deliveries. Returns their ids in order. */
export async function insertNewDeliveries(sql: Sql, to: TestEndpoint, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, newId).sort()
  await sql(
    `with given as (select id, n from unnest($3::text[]) with ordinality g (id, n)),
     written as (
       insert into webhook_delivery (organization_id, id, application_id, event_id, event, subject, body, emitted_at, status)
       select $1, id, $2, id, 'WEBHOOK_TEST', '{}', $4 || n || $5, now(), 'PENDING' from given)
     insert into webhook_new_range (shard, application_id, first_id, last_id, organization_key, written_at)
     select $6, $2, min(id), max(id), $1, now() from given`,
    [
      to.organizationId,
      to.id,
      ids,
      '{"event":"WEBHOOK_TEST","data":{"n":',
      '},"meta":{"schemaVersion":"2026-07"}}',
      to.shard,
    ],
  )
  return ids
}

/** True if a delivery waits to be sent, also to a paused endpoint. */
export async function isWaiting(sql: Sql): Promise<boolean> {
  const rows = await sql('select from webhook_due union all select from webhook_new_range limit 1')
  return rows.length > 0
}

export type RecordedDelivery = {
  id: string
  status: string
  attempts: number
  outcome: string | null
  last_status: number | null
}

/** The deliveries of an application, oldest first. */
export function deliveriesOf(sql: Sql, { id, organizationId }: TestEndpoint): Promise<RecordedDelivery[]> {
  return sql<RecordedDelivery>(
    `select id, status, attempts, outcome, last_status from webhook_delivery
     where organization_id = $1 and application_id = $2 order by id`,
    [organizationId, id],
  )
}
