import { only } from '../elements.ts'
import { insertMany } from '../rows.ts'
import type { TestServer } from '../test-server.ts'

/**
 * Plants many new leads, “Visitor 1” the oldest; creating them one by one takes minutes. The organization has at least one lead
 * already, so that its clock runs.
 */
export async function plantLeads(server: TestServer, organizationId: string, count: number): Promise<void> {
  const clock = only(
    await server.sql<{ last: string }>(
      'select last_change_at as last from lead_clock where organization_id = $1',
      [organizationId],
    ),
  )
  const last = new Date(Date.parse(clock.last) + 1)
  await server.sql(
    'update lead_clock set last_change_at = $2, new_count = new_count + $3 where organization_id = $1',
    [organizationId, last, count],
  )
  await insertLeads(server, organizationId, count, n => ({
    id: `cvisitor${String(n).padStart(17, '0')}`,
    first_name: `Visitor ${n}`,
    phone: `600${n}`,
    search: ` visitor ${n}`,
    created_at: last,
    updated_at: last,
  }))
}

/**
 * Inserts leads past the clock of the organization, so that they may have any times; a sync may miss them. Nobody else writes leads
 * meanwhile. `rowOf` makes the columns of the `n`-th, from 1.
 */
export async function insertLeads(
  server: TestServer,
  organizationId: string,
  count: number,
  rowOf: (n: number) => object,
): Promise<void> {
  // a distributed table has no such trigger
  const isRefused = await server.sql(`select from pg_trigger where tgname = 'refuse_unstamped_lead'`)
  if (isRefused.length > 0) await server.sql('alter table lead disable trigger refuse_unstamped_lead')
  await insertMany(server, 'lead', count, n => ({ organization_id: organizationId, ...rowOf(n) }))
  if (isRefused.length > 0) await server.sql('alter table lead enable trigger refuse_unstamped_lead')
}
