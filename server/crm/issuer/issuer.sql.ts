import type { Issuer } from '#contract/crm/issuer.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'

const select = sql<Issuer>(`
  select i.legal_name as "legalName", i.tax_id as "taxId", i.address, i.city, i.postal_code as "postalCode", i.country,
    i.email, i.phone, i.currency
  from crm_issuer i where i.organization_id = $organization`)
const selectName = sql<{ name: string }>('select o.name from organization o where o.id = $organization')
const upsert = sql<never, { issuer: string }>(`
  insert into crm_issuer (organization_id, legal_name, tax_id, address, city, postal_code, country, email,
    phone, currency, updated_at)
  select $organization, r."legalName", r."taxId", r.address, r.city, r."postalCode", r.country, r.email,
    r.phone, r.currency, now()
  from jsonb_to_record($issuer::jsonb) as r("legalName" text, "taxId" text, address text, city text, "postalCode" text,
    country text, email text, phone text, currency text)
  on conflict (organization_id) do update set legal_name = excluded.legal_name, tax_id = excluded.tax_id,
    address = excluded.address, city = excluded.city, postal_code = excluded.postal_code, country = excluded.country,
    email = excluded.email, phone = excluded.phone, currency = excluded.currency, updated_at = excluded.updated_at
  returning organization_id`)

/** The issuer details of the organization; undefined until they are set. */
export function issuerOf(db: Db): Promise<Issuer | undefined> {
  return db.first(select)
}

/** The display name of the organization. */
export async function organizationName(db: Db): Promise<string> {
  return (await db.one(selectName)).name
}

export async function setIssuer(tx: Tx, issuer: Issuer): Promise<void> {
  await tx.run(upsert, { issuer: JSON.stringify(issuer) })
}
