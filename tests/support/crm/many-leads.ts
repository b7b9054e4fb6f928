import { only } from '../elements.ts'
import { insertMany } from '../rows.ts'
import type { TestServer } from '../test-server.ts'

/**
 * Plants many new leads, “Visitor 1” the oldest, in one statement; creating them one by one takes minutes. The
 * organization has at least one lead already, so that its clock runs.
 */
export async function plantLeads(server: TestServer, organizationId: string, count: number): Promise<void> {
  const { planted } = only(
    await server.sql<{ planted: number }>(
      `with clock as (
         update lead_clock set last_change_at = last_change_at + interval '1 ms', last_tx = pg_current_xact_id(),
           new_count = new_count + $2
         where organization_id = $1 returning last_change_at as last
       ), inserted as (
         insert into lead (organization_id, id, status, first_name, phone, search, created_at, updated_at)
         select $1, 'cvisitor' || lpad(n::text, 17, '0'), 'NEW', 'Visitor ' || n, '600' || n,
           ' visitor ' || n, last, last
         from clock, generate_series(1, $2::int) n returning 1
       )
       select count(*)::int as planted from inserted`,
      [organizationId, count],
    ),
  )
  if (planted !== count) throw new Error('The organization has no lead yet, so its clock does not run')
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
  await server.sql('alter table lead disable trigger refuse_unstamped_lead')
  await insertMany(server, 'lead', count, n => ({ organization_id: organizationId, ...rowOf(n) }))
  await server.sql('alter table lead enable trigger refuse_unstamped_lead')
}
