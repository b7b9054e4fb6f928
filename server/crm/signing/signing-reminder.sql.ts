import type { Database } from '#platform/data/database.ts'
import type { Tx } from '#platform/data/db.ts'
import { crossTenantSql, sql } from '#platform/data/statement.ts'
import { hasModule } from '#server/identity/index.ts'

/** An open link `l` of an open budget `b` whose signer was mailed long enough ago, by the settings `s`. */
const isDue = `l.mailed_at <= now() - make_interval(days => s.signing_reminder_days)
  and l.reminder_count < s.signing_reminders and l.expires_at > now()
  and l.revoked_at is null and l.used_at is null and l.declined_at is null
  and b.status = 'SENT' and coalesce(b.valid_until >= (now() at time zone 'utc')::date, true)`

export type DueLink = { organization_id: string; budget_id: string; id: string }

// index signing_link_waits
const selectDue = crossTenantSql<DueLink, { most: number }>(
  'the worker reminds the signers of all organizations',
  `select l.organization_id, l.budget_id, l.id from crm_settings s
   join organization o on o.id = s.organization_id and ${hasModule('crm')}
   join signing_link l on l.organization_id = s.organization_id
   join budget b on b.organization_id = s.organization_id and b.id = l.budget_id
   where s.signing_reminder_days is not null and ${isDue}
   order by l.organization_id, l.mailed_at limit $most`,
)
const selectDueOf = sql<{ id: string }, { id: string }>(`
  select l.id from signing_link l
  join budget b on b.organization_id = $organization and b.id = l.budget_id
  join crm_settings s on s.organization_id = $organization
  where l.organization_id = $organization and l.id = $id and ${isDue}`)
const countReminder = sql<never, { id: string }>(
  `update signing_link l set reminder_count = l.reminder_count + 1
    where l.organization_id = $organization and l.id = $id`,
)

/** Links whose signers are due to be reminded. */
export function listDueLinks(
  { crossTenant }: Pick<Database, 'crossTenant'>,
  most: number,
): Promise<DueLink[]> {
  return crossTenant.rows(selectDue, { most })
}

/** Whether a link that this transaction has locked is due. */
export async function isReminderDue(tx: Tx, id: string): Promise<boolean> {
  return (await tx.first(selectDueOf, { id })) !== undefined
}

export async function addReminder(tx: Tx, id: string): Promise<void> {
  await tx.run(countReminder, { id })
}
