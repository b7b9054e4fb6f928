import { sql } from '#platform/data/statement.ts'

/** SQL expression: the current address of an organization; its id for a row that was inserted by hand. */
export function addressOf(organizationId: string): string {
  return `coalesce((select c.address from organization_address c
    where c.leads_to = ${organizationId} and c.retired_at is null), ${organizationId})`
}

/** SQL expression: every address that leads to an organization. */
export function addressesOf(organizationId: string): string {
  return `array(select e.address from organization_address e where e.leads_to = ${organizationId})`
}

/** Reserves the first free address. No row if another organization has just taken it. */
export const insertFreeAddress = sql<{ address: string }, { candidates: string[] }>(`
  insert into organization_address (address, leads_to)
  select c.address, $organization from unnest($candidates::text[]) with ordinality c (address, n)
  where not exists (select from organization_address t where t.address = c.address)
  order by c.n limit 1
  on conflict do nothing
  returning address
`)

/** Current and former, at most `limits.organizationAddresses`. */
export const listAddresses = sql<{ address: string }>(
  'select a.address from organization_address a where a.leads_to = $organization',
)
export const retireAddress = sql<never>(
  'update organization_address a set retired_at = now() where a.leads_to = $organization and a.retired_at is null',
)
/** No row if the address belongs to another organization. */
export const setAddress = sql<{ address: string }, { address: string }>(`
  insert into organization_address as a (address, leads_to) values ($address, $organization)
  on conflict (address) do update set retired_at = null where a.leads_to = $organization
  returning a.address
`)
