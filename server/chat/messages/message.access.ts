import type { ChannelKind, ChannelRole } from '#contract/chat/shapes.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { MessageRow, ReadableMessageRow } from './message.json.ts'

/** The columns of a message `m` with `messageJoins`, except its mentions. */
export const messageColumns = `m.id, m.channel_id, m.seq, m.root_id, m.author_kind, m.author_id,
  coalesce(w.name, o.name) as author_name, m.content, m.visibility, m.created_at, m.edited_at, m.deleted_at,
  m.reply_count, m.last_reply_at, m.visible_reply_count, m.visible_last_reply_at,
  case when t.visibility <> 'PRIVATE' then t.id end as shared_root_id,
  case when t.visibility = 'VISIBLE' and t.deleted_at is null then t.id end as visible_root_id`
/**
 * A message by its primary key. `offset 0` keeps other conditions outside, so that PostgreSQL chooses the primary key even
 * while it has no statistics of the table.
 */
export const messageById = (organizationId: string, id: string) => `(
    select * from chat_message k where k.organization_id = ${organizationId} and k.id = ${id} offset 0)`
export const messageJoins = `
  left join membership w on w.organization_id = $organization and w.person_id = m.author_id and m.author_kind = 'USER'
  left join application o on o.organization_id = $organization and o.id = m.author_id and m.author_kind = 'APP'
  left join lateral ${messageById('$organization', 'm.root_id')} t on true`
/** The mentions in the current content. A mention that an edit removed stays in the table, so that no second event is emitted. */
export const mentionsOf = `case when strpos(m.content, '<@') > 0 then (
    select json_agg(json_build_object('kind', n.kind, 'id', n.mentioned_id) order by n.mentioned_id)
    from chat_mention n
    where n.organization_id = $organization and n.message_id = m.id and strpos(m.content, '<@' || n.mentioned_id || '>') > 0)
  end as mentions`

/** The root of the thread, if the person may read it. */
const readableRoot = (personId: string) => `case when t.visibility <> 'PRIVATE' or exists (
    select from chat_reader q where q.organization_id = $organization and q.channel_id = t.channel_id
      and q.person_id = ${personId} and q.seq = t.seq) then t.id end as readable_root_id`
/** The files of a message; most messages have none. */
const attachmentsOf = `case when m.file_count > 0 then (
    select json_agg(json_build_object(
      'id', f.id, 'filename', f.filename, 'content_type', f.content_type, 'size', f.size) order by f.id)
    from chat_file f where f.organization_id = $organization and f.message_id = m.id) end as attachments`
/** The columns that only people see. */
export const personColumns = (personId: string) => `${readableRoot(personId)}, ${attachmentsOf}`
/** Condition under which a member of the channel may read `m`: all messages except those private to others. */
export const mayRead = (
  personId: string,
) => `(m.visibility <> 'PRIVATE' or m.author_id = ${personId} or exists (
    select from chat_reader x where x.organization_id = $organization and x.channel_id = m.channel_id
      and x.person_id = ${personId} and x.seq = m.seq))`
/** Condition under which applications see `m`, in addition to chat_access.has_access. Index chat_message_visible repeats it. */
export const isVisible = `m.visibility = 'VISIBLE' and m.deleted_at is null`

const fromOwnChannels = `from chat_message m
  join chat_member me on me.organization_id = $organization and me.channel_id = m.channel_id and me.person_id = $personId`
const isRequestedMessage = `m.organization_id = $organization and m.id = $id`

const selectMessage = sql<ReadableMessageRow, { id: string; personId: string }>(
  `select ${messageColumns}, ${mentionsOf}, ${personColumns('$personId')} ${fromOwnChannels} ${messageJoins}
   where ${isRequestedMessage} and ${mayRead('$personId')}`,
)

/** A message with its channel and the role of the caller there. */
export type LockedMessage = ReadableMessageRow & {
  kind: ChannelKind
  archived_at: string | null
  role: ChannelRole
}

const selectLocked = sql<LockedMessage, { id: string; personId: string }>(
  `select ${messageColumns}, ${mentionsOf}, ${personColumns('$personId')}, c.kind, c.archived_at, me.role ${fromOwnChannels}
   join chat_channel c on c.organization_id = $organization and c.id = m.channel_id ${messageJoins}
   where ${isRequestedMessage} and ${mayRead('$personId')} for no key update of c, m`,
)
const selectVisible = sql<MessageRow, { id: string; applicationId: string }>(
  `select ${messageColumns}, ${mentionsOf} from ${messageById('$organization', '$id')} m
   join chat_access a on a.organization_id = $organization and a.channel_id = m.channel_id and a.application_id = $applicationId and a.has_access
   ${messageJoins} where ${isVisible}`,
)

/** A message that the person may read, which may be deleted. Refuses MESSAGE_NOT_FOUND. */
export async function messageFor(db: Db, caller: Caller, id: string): Promise<ReadableMessageRow> {
  return (await db.first(selectMessage, { id, personId: caller.personId })) ?? fail('MESSAGE_NOT_FOUND')
}

/**
 * Like messageFor; locks the channel and the message. The channel is locked first, as when a new message is inserted,
 * which then updates the reply count of its root.
 */
export async function lockMessage(tx: Tx, caller: Caller, id: string): Promise<LockedMessage> {
  return (await tx.first(selectLocked, { id, personId: caller.personId })) ?? fail('MESSAGE_NOT_FOUND')
}

/**
 * A message that the application may read: visible, not deleted, in a channel with access. Refuses MESSAGE_NOT_FOUND for
 * every other reason too (MSG-3, MSG-4).
 */
export async function visibleMessageFor(db: Db, caller: Caller, id: string): Promise<MessageRow> {
  return (
    (await db.first(selectVisible, { id, applicationId: caller.applicationId ?? '' })) ??
    fail('MESSAGE_NOT_FOUND')
  )
}
