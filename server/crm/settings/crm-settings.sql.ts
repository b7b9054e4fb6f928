import type { Db, Tx } from '#platform/data/database.ts'
import { sql } from '#platform/data/statement.ts'
import { defaultPhoneCountry } from '../phone.ts'

const select = sql<{ phone_country: string }>(
  'select s.phone_country from crm_settings s where s.organization_id = $1',
)
const upsert = sql<never, [phoneCountry: string]>(`
  insert into crm_settings as s (organization_id, phone_country) values ($1, $2)
  on conflict (organization_id) do update set phone_country = excluded.phone_country, updated_at = now()
  where s.organization_id = $1 and s.phone_country <> excluded.phone_country`)

/** The country of telephone numbers without a country code. */
export async function phoneCountryOf(db: Db): Promise<string> {
  return (await db.first(select))?.phone_country ?? defaultPhoneCountry
}

/** Returns false if the setting already had this value. */
export async function setPhoneCountry(tx: Tx, country: string): Promise<boolean> {
  return (await tx.run(upsert, country)) > 0
}
