import type { CrmSettings } from '#contract/crm/settings.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { normalizeTextOrNull } from '../normalize-text.ts'
import { defaultPhoneCountry } from '../phone.ts'

type SettingsRow = {
  phone_country: string
  signing_reminder_days: number | null
  signing_reminders: number
  portal_greeting_es: string | null
  portal_greeting_en: string | null
}

const select = sql<SettingsRow>(`
  select s.phone_country, s.signing_reminder_days, s.signing_reminders, s.portal_greeting_es, s.portal_greeting_en
  from crm_settings s where s.organization_id = $organization`)
const upsertCountry = sql<never, { phoneCountry: string }>(`
  insert into crm_settings as s (organization_id, phone_country) values ($organization, $phoneCountry)
  on conflict (organization_id) do update set phone_country = excluded.phone_country, updated_at = now()
  where s.organization_id = $organization and s.phone_country <> excluded.phone_country`)
const upsertReminders = sql<never, { phoneCountry: string; days: number | null; most: number }>(`
  insert into crm_settings as s (organization_id, phone_country, signing_reminder_days, signing_reminders)
  values ($organization, $phoneCountry, $days, $most)
  on conflict (organization_id) do update set signing_reminder_days = excluded.signing_reminder_days,
    signing_reminders = excluded.signing_reminders, updated_at = now()
  where s.organization_id = $organization and (s.signing_reminder_days, s.signing_reminders)
    is distinct from (excluded.signing_reminder_days, excluded.signing_reminders)`)

const upsertGreeting = sql<never, { phoneCountry: string; es: string | null; en: string | null }>(`
  insert into crm_settings as s (organization_id, phone_country, portal_greeting_es, portal_greeting_en)
  values ($organization, $phoneCountry, $es, $en)
  on conflict (organization_id) do update set portal_greeting_es = excluded.portal_greeting_es,
    portal_greeting_en = excluded.portal_greeting_en, updated_at = now()
  where s.organization_id = $organization and (s.portal_greeting_es, s.portal_greeting_en)
    is distinct from (excluded.portal_greeting_es, excluded.portal_greeting_en)`)

/** The settings; those of an organization that has not changed them remind and greet nobody. */
export async function readSettings(db: Db): Promise<CrmSettings> {
  const row = await db.first(select)
  const days = row?.signing_reminder_days ?? null
  return {
    phoneCountry: row?.phone_country ?? defaultPhoneCountry,
    signingReminders: row && days !== null ? { days, most: row.signing_reminders } : null,
    portalGreeting: { es: row?.portal_greeting_es ?? null, en: row?.portal_greeting_en ?? null },
  }
}

/** The country of telephone numbers without a country code. */
export async function phoneCountryOf(db: Db): Promise<string> {
  return (await readSettings(db)).phoneCountry
}

/** Returns false if the setting already had this value. */
export async function setPhoneCountry(tx: Tx, country: string): Promise<boolean> {
  return (await tx.run(upsertCountry, { phoneCountry: country })) > 0
}

/** Sets the reminders of signing links; null: there are none. Returns false if they were the same. */
export async function setSigningReminders(
  tx: Tx,
  reminders: CrmSettings['signingReminders'],
): Promise<boolean> {
  const { days, most } = reminders ?? { days: null, most: 1 }
  return (await tx.run(upsertReminders, { phoneCountry: defaultPhoneCountry, days, most })) > 0
}

/** Sets the greeting of the portal; a blank text is none. Returns false if it was the same. */
export async function setPortalGreeting(tx: Tx, { es, en }: CrmSettings['portalGreeting']): Promise<boolean> {
  const greeting = { es: normalizeTextOrNull(es), en: normalizeTextOrNull(en) }
  return (await tx.run(upsertGreeting, { phoneCountry: defaultPhoneCountry, ...greeting })) > 0
}
