import type { ReminderSettings } from '#contract/billing/reminders.ts'
import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'

type Rule = ReminderSettings['rules'][number]

/** The settings of an organization that has not changed them: nothing is sent. */
const defaults = { timeZone: 'Europe/Madrid', hour: 9 } as const

const select = sql<Omit<ReminderSettings, 'rules'>>(
  `select s.time_zone as "timeZone", s.hour from invoice_reminder_settings s
    where s.organization_id = $organization`,
)
const selectRules = sql<Rule>(`
  select r.days, r.is_on as "isOn", r.text from invoice_reminder_rule r where r.organization_id = $organization
  order by r.days limit ${limits.reminderRules}`)
const selectRule = sql<Rule, { days: number }>(`
  select r.days, r.is_on as "isOn", r.text from invoice_reminder_rule r
  where r.organization_id = $organization and r.days = $days`)
const isKnownZone = sql<{ isKnown: boolean }, { name: string }>(
  `select exists (select from pg_timezone_names z where z.name = $name) as "isKnown" from organization o
    where o.id = $organization`,
)
const upsert = sql<never, { timeZone: string; hour: number }>(`
  insert into invoice_reminder_settings as s (organization_id, time_zone, hour)
  values ($organization, $timeZone, $hour)
  on conflict (organization_id) do update
  set time_zone = excluded.time_zone, hour = excluded.hour, updated_at = now()`)
const deleteRules = sql<never>('delete from invoice_reminder_rule r where r.organization_id = $organization')
const insertRules = sql<never, { rules: string }>(`
  insert into invoice_reminder_rule (organization_id, days, is_on, text)
  select $organization, r.days, r."isOn", r.text
  from jsonb_to_recordset($rules::jsonb) as r(days integer, "isOn" boolean, text text)`)

export async function readSettings(db: Db): Promise<ReminderSettings> {
  const [settings, rules] = await Promise.all([db.first(select), db.rows(selectRules)])
  return { ...(settings ?? defaults), rules }
}

/** A rule by its days; undefined if there is none any more. */
export function findRule(db: Db, days: number): Promise<Rule | undefined> {
  return db.first(selectRule, { days })
}

/** Whether the database knows the time zone, in which it computes the days of reminders. */
export async function isTimeZone(db: Db, name: string): Promise<boolean> {
  return (await db.one(isKnownZone, { name })).isKnown
}

/** Replaces the settings; the row of the organization is locked first. */
export async function setSettings(tx: Tx, { timeZone, hour, rules }: ReminderSettings): Promise<void> {
  await tx.run(upsert, { timeZone, hour })
  await tx.run(deleteRules)
  await tx.run(insertRules, { rules: JSON.stringify(rules) })
}
