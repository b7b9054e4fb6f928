import { limits } from '#contract/limits.ts'
import { builtInRoles, rolePermissions } from '#contract/permissions.ts'
import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'

/** Mails about a webhook: it was paused because deliveries failed, or the first delivery after that arrived. */
export const webhookMailNames = { paused: 'webhook-paused', recovered: 'webhook-recovered' } as const

export type MailedWebhook = { name: string; principal_id: string; url: string }
const selectMailed = sql<MailedWebhook, { applicationId: string }>(`
  select a.name, a.principal_id, e.url
  from application a
  join webhook_endpoint e on e.organization_id = $organization and e.application_id = a.id
  where a.organization_id = $organization and a.id = $applicationId`)

/** The webhook of an application as mails describe it; undefined if it was deleted. */
export function mailedWebhook(db: Db, applicationId: string): Promise<MailedWebhook | undefined> {
  return db.first(selectMailed, { applicationId })
}

const managingRoles = builtInRoles.filter(role => rolePermissions[role].includes('INTEGRATIONS_MANAGE'))
const selectRecipients = sql<{ email: string }, { principalId: string; roles: readonly string[] }>(
  `select m.email from membership m
   left join role r on r.organization_id = $organization and r.id = m.custom_role_id
   where m.organization_id = $organization and m.removed_at is null
     and (m.person_id = $principalId or m.role = any($roles) or 'INTEGRATIONS_MANAGE' = any(r.permissions))
   order by m.person_id <> $principalId, m.created_at, m.person_id limit ${limits.webhookMailRecipients}`,
)

/** The addresses of the principal of an application and of the people who manage integrations. */
export async function mailRecipients(db: Db, principalId: string): Promise<string[]> {
  const rows = await db.rows(selectRecipients, { principalId, roles: managingRoles })
  return [...new Set(rows.map(({ email }) => email))]
}
