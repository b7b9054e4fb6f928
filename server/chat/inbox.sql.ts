import type { InboxItem } from '#contract/identity/inbox.ts'
import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import type { Caller } from '#platform/http/caller.ts'
import { mentionsBefore } from './messages/mentions/mention.sql.ts'

/** Sorts after every id. */
const afterAllIds = '~'

// index chat_agent_live
const proposals = sql<InboxItem, { personId: string; isAdministrator: boolean }>(`
  select 'AGENT_PROPOSED:' || a.id as id, 'AGENT_PROPOSED' as kind, a.proposed_at as at, a.id as "subjectId",
    a.channel_id as "parentId", a.name as title, p.name as "actorName", null as detail
  from chat_agent a
  join chat_channel w on w.organization_id = $organization and w.id = a.channel_id and w.archived_at is null
  join application p on p.organization_id = $organization and p.id = a.application_id
  left join chat_member r on r.organization_id = $organization and r.channel_id = a.channel_id
    and r.person_id = $personId
  where a.organization_id = $organization and a.status = 'PENDING_APPROVAL' and a.expires_at > now()
    and w.kind in ('CHANNEL', 'GROUP') and ($isAdministrator::boolean or r.role in ('OWNER', 'ADMIN'))
  order by a.id desc limit ${limits.inboxItems}`)

/** The items of this area in the inbox of a person (HOM-6). */
export async function chatInbox(
  db: Db,
  { permissions, personId, isAdministrator }: Caller,
): Promise<InboxItem[]> {
  const [mentions, proposed] = await Promise.all([
    permissions.has('CHAT_USE') ? mentionsBefore(db, afterAllIds, personId, limits.inboxItems) : [],
    permissions.has('CHAT_APPLICATIONS_MANAGE') ? db.rows(proposals, { personId, isAdministrator }) : [],
  ])
  const items = mentions.map(
    (message): InboxItem => ({
      id: `MENTION:${message.id}`,
      kind: 'MENTION',
      at: message.created_at,
      subjectId: message.id,
      parentId: message.channel_id,
      title: null,
      actorName: message.author_name,
      detail: null,
    }),
  )
  return [...items, ...proposed]
}
