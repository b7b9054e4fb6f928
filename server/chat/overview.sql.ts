import type { Overview } from '#contract/identity/overview.ts'
import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import type { Caller } from '#platform/http/caller.ts'
import { mayRead } from './messages/message.access.ts'
import { unreadAfter } from './read-markers/read-marker.sql.ts'

// indexes chat_mention_mentioned, chat_member_person and chat_agent_live
const counts = sql<
  { mentions: number; channels: number; proposals: number },
  { personId: string; isAdministrator: boolean }
>(`
  with scanned as materialized (
    select z.message_id from chat_mention z where z.organization_id = $organization and z.mentioned_id = $personId
    order by z.message_id desc limit ${limits.mentionsScanned}
  ), unread as materialized (
    select c.id, v.read_seq from chat_member v
    join chat_channel c on c.organization_id = $organization and c.id = v.channel_id
    where v.organization_id = $organization and v.person_id = $personId and c.last_seq > v.read_seq
      and c.archived_at is null
    limit ${limits.overviewChannels}
  )
  select
    (select count(*) from scanned k
     join chat_message m on m.organization_id = $organization and m.id = k.message_id and m.deleted_at is null
     join chat_member me on me.organization_id = $organization and me.channel_id = m.channel_id
       and me.person_id = $personId
     where m.seq > me.read_seq and strpos(m.content, '<@' || $personId || '>') > 0
       and ${mayRead('$personId')}) as mentions,
    (select count(*) from unread q where ${unreadAfter('q.id', '$personId', 'q.read_seq')} > 0) as channels,
    (select count(*) from (
       select from chat_agent a
       join chat_channel w on w.organization_id = $organization and w.id = a.channel_id and w.archived_at is null
       left join chat_member r on r.organization_id = $organization and r.channel_id = a.channel_id
         and r.person_id = $personId
       where a.organization_id = $organization and a.status = 'PENDING_APPROVAL' and a.expires_at > now()
         and w.kind in ('CHANNEL', 'GROUP') and ($isAdministrator::boolean or r.role in ('OWNER', 'ADMIN'))
       limit ${limits.overviewCount}) p) as proposals`)

/** The part of this area in the overview of a person (HOM-2). */
export async function chatOverview(db: Db, caller: Caller): Promise<Pick<Overview, 'chat' | 'proposals'>> {
  const { permissions, personId, isAdministrator } = caller
  if (!permissions.has('CHAT_USE') && !permissions.has('CHAT_APPLICATIONS_MANAGE')) return {}
  const { mentions, channels, proposals } = await db.one(counts, { personId, isAdministrator })
  return {
    ...(permissions.has('CHAT_USE') && { chat: { mentions, channels } }),
    ...(permissions.has('CHAT_APPLICATIONS_MANAGE') && { proposals }),
  }
}
