import type { InvoiceReminders, listUpcomingReminders } from '#contract/billing/reminders.ts'
import { limits } from '#contract/limits.ts'
import type { Reply } from '#contract/operation.ts'
import type { Database } from '#platform/data/database.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { insertInto } from '#platform/data/insert-into.ts'
import { crossTenantSql, sql } from '#platform/data/statement.ts'
import { hasModule } from '#server/identity/index.ts'
import { isOpenAttempt } from '../charges/charge.sql.ts'
import { dueCents, isUnpaid } from '../invoices/unpaid.sql.ts'
import { lateDays } from './reminder.rules.ts'

/** Whether an invoice `i` of an organization may get reminders now. */
const isRemindable = (organization: string) => `${isUnpaid('i')} and ${dueCents('i')} > 0
    and exists (select from organization o where o.id = ${organization} and ${hasModule('finance')})
    and not exists (select from charge_attempt a
      where a.organization_id = ${organization} and a.invoice_id = i.id and ${isOpenAttempt('a')})
    and not exists (select from payment p
      where p.organization_id = ${organization} and p.invoice_id = i.id and p.is_disputed)
    and not exists (select from invoice_reminder_pause x
      where x.organization_id = ${organization} and x.subject_id in (i.id, i.client_id))`
/** Neither this rule nor a later one was sent, and its day is not before that of the issue. */
const isPending = (organization: string) => `i.due_date + r.days > i.issue_date
    and not exists (select from invoice_reminder m
      where m.organization_id = ${organization} and m.invoice_id = i.id and m.days >= r.days)`
const today = '(now() at time zone s.time_zone)::date'
const isSendingHour = `extract(hour from now() at time zone s.time_zone) between s.hour and ${limits.reminderHourEnd - 1}`
const isDue = `i.due_date between ${today} - r.days - ${lateDays} and ${today} - r.days`

export type DueReminder = { organization_id: string; invoice_id: string; days: number }

// index invoice_due
const selectDue = crossTenantSql<DueReminder, { most: number }>(
  'the worker reminds of the invoices of all organizations',
  `select i.organization_id, i.id as invoice_id, max(r.days) as days
   from invoice_reminder_settings s
   join invoice_reminder_rule r on r.organization_id = s.organization_id and r.is_on
   join invoice i on i.organization_id = s.organization_id and ${isDue}
   where ${isSendingHour} and ${isRemindable('i.organization_id')} and ${isPending('i.organization_id')}
   group by i.organization_id, i.id order by i.organization_id, i.id limit $most`,
)
const selectDueOf = sql<{ days: number | null }, { invoiceId: string }>(`
  select max(r.days) as days
  from invoice_reminder_settings s
  join invoice_reminder_rule r on r.organization_id = $organization and r.is_on
  join invoice i on i.organization_id = $organization and i.id = $invoiceId and ${isDue}
  where s.organization_id = $organization and ${isSendingHour} and ${isRemindable('$organization')}
    and ${isPending('$organization')}`)
const selectRemindable = sql<{ id: string }, { invoiceId: string }>(
  `select i.id from invoice i where i.organization_id = $organization and i.id = $invoiceId
    and ${isRemindable('$organization')}`,
)
const insert = sql<never, { invoiceId: string; days: number; hasRecipient: boolean }>(`
  ${insertInto('invoice_reminder', 'invoice_id, days, has_recipient')}
  on conflict do nothing`)
const setSentAt = sql<never, { invoiceId: string; days: number }>(`
  update invoice_reminder m set sent_at = now()
  where m.organization_id = $organization and m.invoice_id = $invoiceId and m.days = $days`)
const list = sql<InvoiceReminders['items'][number], { invoiceId: string }>(`
  select m.days, m.created_at as "createdAt", m.sent_at as "sentAt", m.has_recipient as "hasRecipient"
  from invoice_reminder m where m.organization_id = $organization and m.invoice_id = $invoiceId
  order by m.created_at desc, m.days desc limit ${limits.remindersShown}`)
const pausesOf = sql<{ subject_id: string }, { invoiceId: string; clientId: string }>(`
  select x.subject_id from invoice_reminder_pause x
  where x.organization_id = $organization and x.subject_id in ($invoiceId, $clientId)`)
const pause = sql<never, { subjectId: string }>(
  `insert into invoice_reminder_pause (organization_id, subject_id) values ($organization, $subjectId)
    on conflict do nothing`,
)
const resume = sql<never, { subjectId: string }>(
  'delete from invoice_reminder_pause x where x.organization_id = $organization and x.subject_id = $subjectId',
)

type UpcomingReminder = Reply<typeof listUpcomingReminders>['items'][number]
// index invoice_due, for each rule
const selectUpcoming = sql<UpcomingReminder>(`
  select u."invoiceId", u.number, u."clientName", u.currency, u."dueCents",
    to_char(u.due_date, 'YYYY-MM-DD') as "dueDate", r.days, to_char(u.day, 'YYYY-MM-DD') as day
  from invoice_reminder_settings s
  join invoice_reminder_rule r on r.organization_id = $organization and r.is_on
  cross join lateral (
    select i.id as "invoiceId", i.number, c.name as "clientName", i.currency, ${dueCents('i')} as "dueCents",
      i.due_date, greatest(i.due_date + r.days, ${today}) as day
    from invoice i join crm_client c on c.organization_id = $organization and c.id = i.client_id
    where i.organization_id = $organization and i.due_date >= ${today} - r.days - ${lateDays}
      and ${isRemindable('$organization')} and ${isPending('$organization')}
      and not exists (select from invoice_reminder_rule l where l.organization_id = $organization and l.is_on
        and l.days > r.days and i.due_date + l.days <= ${today})
    order by i.due_date, i.id limit ${limits.upcomingReminders}) u
  where s.organization_id = $organization
  order by u.day, u."invoiceId", r.days limit ${limits.upcomingReminders}`)

/** Reminders that are due now, at most one for each invoice: that of its latest rule. */
export function listDueReminders(
  { crossTenant }: Pick<Database, 'crossTenant'>,
  most: number,
): Promise<DueReminder[]> {
  return crossTenant.rows(selectDue, { most })
}

/** The days of the rule by which a locked invoice is reminded of now; null if by none. */
export async function findDueRule(tx: Tx, invoiceId: string): Promise<number | null> {
  return (await tx.one(selectDueOf, { invoiceId })).days
}

/** Whether a reminder of the invoice may be sent now, whatever the rule. */
export async function mayBeReminded(db: Db, invoiceId: string): Promise<boolean> {
  return (await db.first(selectRemindable, { invoiceId })) !== undefined
}

export async function insertReminder(
  tx: Tx,
  { invoiceId, days, hasRecipient }: { invoiceId: string; days: number; hasRecipient: boolean },
): Promise<void> {
  await tx.run(insert, { invoiceId, days, hasRecipient })
}

export async function setReminderSent(tx: Tx, invoiceId: string, days: number): Promise<void> {
  await tx.run(setSentAt, { invoiceId, days })
}

export function listUpcoming(db: Db): Promise<UpcomingReminder[]> {
  return db.rows(selectUpcoming)
}

type Subject = { id: string; client_id: string }

/** The reminders of an invoice, and whether they are paused. */
export async function remindersOf(db: Db, { id, client_id }: Subject): Promise<InvoiceReminders> {
  const [items, pauses] = await Promise.all([
    db.rows(list, { invoiceId: id }),
    db.rows(pausesOf, { invoiceId: id, clientId: client_id }),
  ])
  const paused = pauses.map(({ subject_id }) => subject_id)
  return { isPaused: paused.includes(id), isClientPaused: paused.includes(client_id), items }
}

/** Excludes an invoice or a client from reminders, or includes it again. */
export async function setPaused(tx: Tx, subjectId: string, isPaused: boolean): Promise<void> {
  await tx.run(isPaused ? pause : resume, { subjectId })
}
