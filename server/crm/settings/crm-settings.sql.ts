import type { CrmSettings } from '#contract/crm/settings.ts'
import type { Db, Tx } from '#platform/data/database.ts'
import { sql } from '#platform/data/statement.ts'
import { defaultPhoneCountry } from '../phone.ts'

type SettingsRow = { phone_country: string; signing_reminder_days: number | null; signing_reminders: number }

const select = sql<SettingsRow>(
  'select s.phone_country, s.signing_reminder_days, s.signing_reminders from crm_settings s where s.organization_id = $1',
)
const upsertCountry = sql<never, [phoneCountry: string]>(`
  insert into crm_settings as s (organization_id, phone_country) values ($1, $2)
  on conflict (organization_id) do update set phone_country = excluded.phone_country, updated_at = now()
  where s.organization_id = $1 and s.phone_country <> excluded.phone_country`)
const upsertReminders = sql<never, [phoneCountry: string, days: number | null, most: number]>(`
  insert into crm_settings as s (organization_id, phone_country, signing_reminder_days, signing_reminders)
  values ($1, $2, $3, $4)
  on conflict (organization_id) do update set signing_reminder_days = excluded.signing_reminder_days,
    signing_reminders = excluded.signing_reminders, updated_at = now()
  where s.organization_id = $1 and (s.signing_reminder_days, s.signing_reminders)
    is distinct from (excluded.signing_reminder_days, excluded.signing_reminders)`)

/** The settings; those of an organization that has not changed them remind nobody. */
export async function readSettings(db: Db): Promise<CrmSettings> {
  const row = await db.first(select)
  const days = row?.signing_reminder_days ?? null
  return {
    phoneCountry: row?.phone_country ?? defaultPhoneCountry,
    signingReminders: days === null ? null : { days, most: row!.signing_reminders },
  }
}

/** The country of telephone numbers without a country code. */
export async function phoneCountryOf(db: Db): Promise<string> {
  return (await readSettings(db)).phoneCountry
}

/** Returns false if the setting already had this value. */
export async function setPhoneCountry(tx: Tx, country: string): Promise<boolean> {
  return (await tx.run(upsertCountry, country)) > 0
}

/** Sets the reminders of signing links; null: there are none. Returns false if they were the same. */
export async function setSigningReminders(
  tx: Tx,
  reminders: CrmSettings['signingReminders'],
): Promise<boolean> {
  const { days, most } = reminders ?? { days: null, most: 1 }
  return (await tx.run(upsertReminders, defaultPhoneCountry, days, most)) > 0
}
