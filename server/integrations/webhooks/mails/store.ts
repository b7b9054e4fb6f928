import { limits } from '#contract/limits.ts'
import { builtInRoles, rolePermissions } from '#contract/permissions.ts'
import type { Db } from '#platform/db/database.ts'
import { sql, wideSql } from '#platform/db/statement.ts'

/** A mail that is to be sent about a webhook, with what it says. */
export type WebhookMail = {
  organizationId: string
  id: string
  /** PAUSED: because deliveries failed; RECOVERED: the first delivery after that arrived. */
  kind: 'PAUSED' | 'RECOVERED'
  at: string
  attempts: number
  applicationId: string
  applicationName: string
  principalId: string
  url: string
}

/**
 * Takes mails that are due. Each is due again after a while, so that one whose process dies, or that no server takes,
 * is sent later. Index webhook_mail_due.
 */
export const takeMails = wideSql<WebhookMail, [most: number]>(
  'a worker mails the people of all organizations',
  `with due as (
     select m.organization_id, m.id from webhook_mail m where m.next_at <= clock_timestamp()
     order by m.next_at limit $1 for update skip locked
   ), taken as (
     update webhook_mail m set attempts = m.attempts + 1,
       next_at = clock_timestamp() + make_interval(mins => least(60, 2 ^ least(m.attempts, 6))::integer)
     from due where m.organization_id = due.organization_id and m.id = due.id
     returning m.*
   )
   select t.organization_id as "organizationId", t.id, t.kind, t.at, t.attempts, t.application_id as "applicationId",
     a.name as "applicationName", a.principal_id as "principalId", e.url
   from taken t
   join application a on a.organization_id = t.organization_id and a.id = t.application_id
   join webhook_endpoint e on e.organization_id = t.organization_id and e.application_id = t.application_id`,
)

const managingRoles = builtInRoles.filter(role => rolePermissions[role].includes('INTEGRATIONS_MANAGE'))
const selectRecipients = sql<{ email: string }, [principalId: string, roles: readonly string[]]>(
  `select m.email from membership m
   left join role r on r.organization_id = $1 and r.id = m.custom_role_id
   where m.organization_id = $1 and m.removed_at is null
     and (m.person_id = $2 or m.role = any($3) or 'INTEGRATIONS_MANAGE' = any(r.permissions))
   order by m.person_id <> $2, m.created_at, m.person_id limit ${limits.webhookMailRecipients}`,
)

/** The addresses of the principal of an application and of the people who manage integrations. */
export async function recipientsOf(db: Db, principalId: string): Promise<string[]> {
  const rows = await db.rows(selectRecipients, principalId, managingRoles)
  return [...new Set(rows.map(({ email }) => email))]
}

const remove = sql<never, [id: string]>(
  'delete from webhook_mail m where m.organization_id = $1 and m.id = $2',
)

/** Forgets a mail that was sent, or is given up. */
export async function removeMail(db: Db, id: string): Promise<void> {
  await db.rows(remove, id)
}
