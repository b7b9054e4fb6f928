import { newId } from '#platform/ids.ts'
import { openCipher } from '#platform/security/cipher.ts'
import { secretPurpose } from '#server/integrations/webhooks/engine.ts'
import { fewestShards, shardOf } from '#server/integrations/webhooks/shards/shard.ts'
import { insertMembers, insertOrganization } from '../identity/people.ts'
import { until } from '../processes.ts'
import { insertRows, type SqlRunner } from '../rows.ts'
import type { TestServer } from '../test-server.ts'
import { insertApplications, insertWebhooks } from './applications.ts'
import { insertDeliveries } from './planted-deliveries.ts'

export type Sql = SqlRunner['sql']
export type TestEndpoint = { id: string; organizationId: string; slug: string; secret: string; shard: number }

export const signInSecret = 'a secret of this test that is long enough'
const cipher = openCipher([signInSecret])

/** An organization with one member, who can be the principal of applications. */
export async function insertHome(sql: Sql): Promise<{ organizationId: string; personId: string }> {
  const organizationId = await insertOrganization({ sql }, { name: 'Home' })
  const personId = newId()
  const email = `${personId}@example.test`
  await insertMembers({ sql }, organizationId, [{ id: personId, name: 'P', email, role: 'OWNER' }])
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
  await insertApplications({ sql }, organizationId, [
    { id, slug, name: 'App', principalId: personId, scopes },
  ])
  await insertWebhooks({ sql }, organizationId, [{ applicationId: id, url, events, maxPerSecond, ordered }])
  await insertRows({ sql }, 'webhook_secret', [
    {
      organization_id: organizationId,
      application_id: id,
      sealed: cipher.hide(secretPurpose, secret),
    },
  ])
  return { id, organizationId, slug, secret, shard: shardOf(id, fewestShards) }
}

/** Inserts new deliveries. Returns their ids in order. */
export async function insertNewDeliveries(sql: Sql, to: TestEndpoint, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, newId).sort()
  await insertDeliveries({ sql }, to, ids, n => ({
    body: JSON.stringify({ event: 'WEBHOOK_TEST', data: { n }, meta: { schemaVersion: '2026-07' } }),
    status: 'PENDING',
  }))
  await insertRows({ sql }, 'webhook_new_range', [
    {
      shard: to.shard,
      application_id: to.id,
      first_id: ids[0],
      last_id: ids.at(-1),
      organization_key: to.organizationId,
    },
  ])
  return ids
}

/** True if a delivery waits to be sent, also to a paused endpoint. */
export async function isWaiting(sql: Sql): Promise<boolean> {
  const rows = await sql('select 1 as one from webhook_due union all select 1 from webhook_new_range limit 1')
  return rows.length > 0
}

/** Waits until all events so far are delivered or dropped, but those for webhooks that are paused. */
export async function untilDelivered(server: Pick<TestServer, 'sql' | 'relayed'>): Promise<void> {
  await server.relayed()
  const due = `select 1 from webhook_endpoint e where e.status = 'ACTIVE' and (
    exists (select from webhook_due d
      where d.organization_key = e.organization_id and d.application_id = e.application_id)
    or exists (select from webhook_new_range f
      where f.organization_key = e.organization_id and f.application_id = e.application_id)) limit 1`
  await until('nothing is due', async () => (await server.sql(due)).length === 0)
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
