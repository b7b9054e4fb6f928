import type { MessageVisibility } from '#contract/chat/shapes.ts'
import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'

type Row =
  | { kind: 'channel'; id: string; people: string[] }
  | { kind: 'message'; id: string; people: string[]; visibility: MessageVisibility; is_deleted: boolean }

const selectAudience = sql<Row, { channelIds: readonly string[]; messageIds: readonly string[] }>(
  `select 'channel' as kind, m.channel_id as id, array_agg(m.person_id) as people, null as visibility, null as is_deleted
   from chat_member m where m.organization_id = $organization and m.channel_id = any($channelIds)
   group by m.channel_id
   union all
   select 'message', w.id, array(
     select r.person_id from chat_reader r where r.organization_id = $organization
       and r.message_id = w.id), w.visibility,
     w.deleted_at is not null
   from chat_message w where w.organization_id = $organization and w.id = any($messageIds)
     and w.visibility = 'PRIVATE'`,
)

export type PrivateMessage = { readers: ReadonlySet<string>; isDeleted: boolean }
/** The members by channel id, and the private messages by message id. */
export type ChannelAudience = {
  members: ReadonlyMap<string, ReadonlySet<string>>
  privateMessages: ReadonlyMap<string, PrivateMessage>
}

/** One query for all channels and messages of a batch. */
export async function readAudience(
  db: Db,
  channelIds: readonly string[],
  messageIds: readonly string[],
): Promise<ChannelAudience> {
  const members = new Map<string, ReadonlySet<string>>()
  const privateMessages = new Map<string, PrivateMessage>()
  for (const row of await db.rows(selectAudience, { channelIds, messageIds })) {
    if (row.kind === 'channel') members.set(row.id, new Set(row.people))
    else privateMessages.set(row.id, { readers: new Set(row.people), isDeleted: row.is_deleted })
  }
  return { members, privateMessages: privateMessages }
}
