import type { ChannelKind, ChannelRole } from '#contract/chat/shapes.ts'
import type { Db, Tx } from '#platform/data/database.ts'
import { sql } from '#platform/data/statement.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { MessageRow, ReadableMessageRow } from './message.json.ts'

/** What is shown of a message `m` with `shownWith`, but for whom it mentions. */
export const messageColumns = `m.id, m.channel_id, m.seq, m.root_id, m.author_kind, m.author_id,
  coalesce(w.name, o.name) as author_name, m.content, m.visibility, m.created_at, m.edited_at, m.deleted_at,
  m.reply_count, m.last_reply_at, m.visible_reply_count, m.visible_last_reply_at,
  case when t.visibility <> 'PRIVATE' then t.id end as shared_root_id,
  case when t.visibility = 'VISIBLE' and t.deleted_at is null then t.id end as visible_root_id`
/**
 * The message of that id, whose columns are looked at outside: by its key, whatever other index PostgreSQL takes for as
 * good while it has not counted how many messages there are.
 */
export const messageById = (organizationId: string, id: string) => `(
    select * from chat_message k where k.organization_id = ${organizationId} and k.id = ${id} offset 0)`
export const messageJoins = `
  left join membership w on w.organization_id = $1 and w.person_id = m.author_id and m.author_kind = 'USER'
  left join application o on o.organization_id = $1 and o.id = m.author_id and m.author_kind = 'APP'
  left join lateral ${messageById('$1', 'm.root_id')} t on true`
/** Whom it mentions: an edit may have taken a mention out, which is kept for what was told already. */
export const mentionsOf = `case when strpos(m.content, '<@') > 0 then (
    select json_agg(json_build_object('kind', n.kind, 'id', n.mentioned_id) order by n.mentioned_id)
    from chat_mention n
    where n.organization_id = $1 and n.message_id = m.id and strpos(m.content, '<@' || n.mentioned_id || '>') > 0)
  end as mentions`

/** The root of the thread when the person may see it. */
export const readableRoot = (personId: string) => `case when t.visibility <> 'PRIVATE' or exists (
    select from chat_reader q where q.organization_id = $1 and q.channel_id = t.channel_id
      and q.person_id = ${personId} and q.seq = t.seq) then t.id end as readable_root_id`
/** A member of its channel may read `m`: everything but what is private to others. */
export const mayRead = (
  personId: string,
) => `(m.visibility <> 'PRIVATE' or m.author_id = ${personId} or exists (
    select from chat_reader x where x.organization_id = $1 and x.channel_id = m.channel_id
      and x.person_id = ${personId} and x.seq = m.seq))`
/** Applications see `m`. The one predicate beside chat_access.has_access; an index has the same. */
export const isVisible = `m.visibility = 'VISIBLE' and m.deleted_at is null`

const fromOwnChannels = `from chat_message m
  join chat_member me on me.organization_id = $1 and me.channel_id = m.channel_id and me.person_id = $3`
const isRequestedMessage = `m.organization_id = $1 and m.id = $2`

const selectMessage = sql<ReadableMessageRow, [id: string, personId: string]>(
  `select ${messageColumns}, ${mentionsOf}, ${readableRoot('$3')} ${fromOwnChannels} ${messageJoins}
   where ${isRequestedMessage} and ${mayRead('$3')}`,
)

/** A message with the caller's place in its channel. */
export type LockedMessage = ReadableMessageRow & {
  kind: ChannelKind
  archived_at: string | null
  role: ChannelRole
}

const selectLocked = sql<LockedMessage, [id: string, personId: string]>(
  `select ${messageColumns}, ${mentionsOf}, ${readableRoot('$3')}, c.kind, c.archived_at, me.role ${fromOwnChannels}
   join chat_channel c on c.organization_id = $1 and c.id = m.channel_id ${messageJoins}
   where ${isRequestedMessage} and ${mayRead('$3')} for no key update of c, m`,
)
const selectVisible = sql<MessageRow, [id: string, applicationId: string]>(
  `select ${messageColumns}, ${mentionsOf} from ${messageById('$1', '$2')} m
   join chat_access a on a.organization_id = $1 and a.channel_id = m.channel_id and a.application_id = $3 and a.has_access
   ${messageJoins} where ${isVisible}`,
)

/** A message for a person who may read it, also a deleted one. Refuses MESSAGE_NOT_FOUND. */
export async function messageFor(db: Db, caller: Caller, id: string): Promise<ReadableMessageRow> {
  return (await db.first(selectMessage, id, caller.personId)) ?? fail('MESSAGE_NOT_FOUND')
}

/**
 * As messageFor; nobody else changes the channel or the message until the transaction ends. The channel is locked
 * first, as by a new message, which then counts on the row of the one that it replies to.
 */
export async function lockMessage(tx: Tx, caller: Caller, id: string): Promise<LockedMessage> {
  return (await tx.first(selectLocked, id, caller.personId)) ?? fail('MESSAGE_NOT_FOUND')
}

/**
 * A message for an application that sees it: visible, not deleted, in a channel where it reads. Refuses
 * MESSAGE_NOT_FOUND, whatever the reason (MSG-3, MSG-4).
 */
export async function visibleMessageFor(db: Db, caller: Caller, id: string): Promise<MessageRow> {
  return (await db.first(selectVisible, id, caller.applicationId ?? '')) ?? fail('MESSAGE_NOT_FOUND')
}
