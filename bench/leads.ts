import type pg from 'pg'
import type { BenchOrganization } from './people.ts'

/**
 * Leads of an organization after a number of changes; with `isKnown` they have names and e-mails for
 * searches.
 */
type Filling = { leads: number; isKnown: boolean }

const statuses = `array['NEW', 'NEW', 'NEW', 'CONTACTED', 'QUALIFIED', 'NEGOTIATING']`

/**
 * Fills an organization with leads, each with its own moment in the past. It skips the checks per lead, and
 * creates the search index at the end, which is much faster.
 */
export async function fillLeads(
  sql: pg.Pool,
  { id, people }: Pick<BenchOrganization, 'id' | 'people'>,
  { leads, isKnown }: Filling,
): Promise<void> {
  const client = await sql.connect()
  try {
    const { rows } = await client.query(`select pg_get_indexdef('lead_search'::regclass) as made`)
    await client.query(
      'begin; alter table lead disable trigger refuse_unstamped_lead; drop index lead_search',
    )
    await client.query(
      `with named as (
         select n, ${statuses} as s, lpad(to_hex(n), 8, '0') as hex,
           (array['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Radia', 'Tim'])[1 + n % 8] || n % 977 as first,
           (array['Lovelace', 'Hopper', 'Turing', 'Dijkstra', 'Liskov', 'Knuth', 'Perlman'])[1 + n % 7] || n % 1999 as last
         from generate_series(1, $2::integer) n)
       insert into lead (organization_id, id, status, email, email_hash, phone, first_name, last_name, company, search,
         last_name_folded, company_folded, source, assignee_id, score, created_at, updated_at)
       select $1, 'clead' || hex || left(md5(hex), 12), s[1 + n % 6],
         case when $3 then hex || '@example.test' end, case when $3 then sha256(hex::bytea) end,
         '+34 600 ' || n, first, last, 'Company ' || n % 5003,
         case when $3 then lower(first || ' ' || last || E'\\ncompany ' || n % 5003 || E'\\n' || hex || '@example.test')
           else '' end,
         lower(last), 'company ' || n % 5003, 'fair', ($4::text[])[1 + n % array_length($4::text[], 1)], n % 101,
         t.at, t.at
       from named, lateral (select date_trunc('milliseconds', now()) - make_interval(secs => ($2 - n) * 0.05) as at) t`,
      [id, leads, isKnown, people.map(person => person.id)],
    )
    await client.query(
      `insert into lead_clock (organization_id, last_change_at, last_tx, new_count, contacted_count, qualified_count, negotiating_count)
       select $1, max(updated_at), pg_current_xact_id(), count(*) filter (where status = 'NEW'),
         count(*) filter (where status = 'CONTACTED'), count(*) filter (where status = 'QUALIFIED'),
         count(*) filter (where status = 'NEGOTIATING')
       from lead where organization_id = $1`,
      [id],
    )
    await client.query(`alter table lead enable trigger refuse_unstamped_lead; ${rows[0].made}; commit`)
    client.release()
  } catch (error) {
    client.release(error as Error)
    throw error
  }
}
