import type { MessageVisibility } from '#contract/chat/shapes.ts'
import type { Tx } from '#platform/data/database.ts'
import { sql } from '#platform/data/statement.ts'
import {
  isVisible,
  mayRead,
  messageById,
  messageColumns,
  messageJoins,
  personColumns,
} from './message.access.ts'
import type { MessageRow, ReadableMessageRow } from './message.json.ts'
import { termPrefix } from './search/message-search.terms.ts'

/** The database assigns the number and the time. */
export type NewMessage = {
  id: string
  channelId: string
  authorKind: 'USER' | 'APP' | 'AI'
  authorId: string
  content: string
  visibility: MessageVisibility
  parentId: string | null
  /** The mentioned ids, not yet resolved to people or applications. */
  mentionedIds: string[]
  searchWords: string[]
}

// resolves ids to mentions: people in the channel, and in a visible message applications with access
const mentionable = (channel: string, mentionedIds: string, visibility: string) => `(
    select f.person_id as id, 'USER' as kind from chat_member f
    where f.organization_id = $1 and f.channel_id = ${channel} and f.person_id = any(${mentionedIds}::text[])
    union all select h.application_id, 'APP' from chat_access h
    where h.organization_id = $1 and h.channel_id = ${channel} and h.application_id = any(${mentionedIds}::text[]) and h.has_access
      and ${visibility} = 'VISIBLE')`
const searchTerms = (words: string, prefix: string) =>
  `array_to_tsvector(array(select ${prefix} || i from unnest(${words}::text[]) i))`
const mentionsJson = (rows: string) =>
  `(select json_agg(json_build_object('kind', e.kind, 'id', e.mentioned_id) order by e.mentioned_id) from ${rows} e)`

/**
 * Inserts a message if the author is in the channel, sees the parent, and the channel is not archived; returns no row
 * otherwise. The row of the channel assigns the number: concurrent inserts wait for it, so numbers have no gaps and become
 * visible in order.
 *
 * $2 channel, $3 author, $4 id, $5 content, $6 visibility, $7 parent, $8 mentioned ids, $9 search words, $10 author kind
 */
const insertMessageSql = (isMember: string, seesParent: string, extraCtes = '') => `
  with parent as materialized (
    select coalesce(m.root_id, m.id) as root_id from ${messageById('$1', '$7')} m
    where m.channel_id = $2 and m.deleted_at is null and ${seesParent}),
  numbered as (
    update chat_channel c set last_seq = c.last_seq + 1,
      event_sequence = c.event_sequence + case when $6 = 'VISIBLE' then 1 else 0 end,
      last_message_at = case when $6 = 'PRIVATE' then c.last_message_at else clock_timestamp() end,
      last_visible_at = case when $6 = 'VISIBLE' then clock_timestamp() else c.last_visible_at end
    where c.organization_id = $1 and c.id = $2 and c.archived_at is null and ${isMember}
      and ($7::text is null or exists (select from parent))
    returning c.last_seq as seq, c.event_sequence,
      case $6 when 'VISIBLE' then c.last_visible_at when 'INTERNAL' then c.last_message_at else clock_timestamp() end as at),
  message as (
    insert into chat_message (organization_id, id, channel_id, seq, root_id, author_kind, author_id, content, visibility,
      created_at)
    select $1, $4, $2, d.seq, (select r.root_id from parent r), $10, $3, $5, $6, d.at from numbered d
    returning *),
  search_row as (
    insert into chat_search (organization_id, message_id, channel_id, terms)
    select $1, $4, $2, ${searchTerms('$9', termPrefix('$2', 'd.seq'))} from numbered d),
  mentioned as (
    insert into chat_mention (organization_id, message_id, mentioned_id, kind, channel_id)
    select $1, $4, g.id, g.kind, $2 from numbered cross join ${mentionable('$2', '$8', '$6')} g where g.id <> $3
    returning mentioned_id, kind),
  thread_counts as (
    update chat_message u set reply_count = u.reply_count + 1, last_reply_at = d.at,
      visible_reply_count = u.visible_reply_count + case when $6 = 'VISIBLE' then 1 else 0 end,
      visible_last_reply_at = case when $6 = 'VISIBLE' then d.at else u.visible_last_reply_at end
    from numbered d where u.organization_id = $1 and u.id = (select p.root_id from parent p) and $6 <> 'PRIVATE')
  ${extraCtes}
  select ${messageColumns}, ${mentionsJson('mentioned')} as mentions, (select d.event_sequence from numbered d)`

/** A new message with the sequence of its application events. */
export type InsertedMessage<Row extends MessageRow> = Row & { event_sequence: number }

type InsertParameters = [
  channelId: string,
  authorId: string,
  id: string,
  content: string,
  visibility: string,
  parentId: string | null,
  mentionedIds: string[],
  searchWords: string[],
  authorKind: string,
]

const insertOfPerson = sql<InsertedMessage<ReadableMessageRow>, [...InsertParameters, readerIds: string[]]>(
  `${insertMessageSql(
    `exists (select from chat_member me where me.organization_id = $1 and me.channel_id = $2 and me.person_id = $3)
      and cardinality($11::text[]) = (select count(*) from chat_member b
        where b.organization_id = $1 and b.channel_id = $2 and b.person_id = any($11))`,
    mayRead('$3'),
    `, new_readers as (
    insert into chat_reader (organization_id, channel_id, person_id, seq, message_id, root_id)
    select $1, $2, i, y.seq, $4, y.root_id from message y cross join unnest($11 || $3) i where $6 = 'PRIVATE'),
  author_marker as (
    update chat_member k set read_seq = d.seq from numbered d
    where k.organization_id = $1 and k.channel_id = $2 and k.person_id = $3 and k.read_seq = d.seq - 1)`,
  )}, ${personColumns('$3')} from message m ${messageJoins}`,
)

const insertOfApplication = sql<InsertedMessage<MessageRow>, InsertParameters>(
  `${insertMessageSql(
    `exists (select from chat_access a
        where a.organization_id = $1 and a.channel_id = $2 and a.application_id = $3 and a.has_access)`,
    isVisible,
  )} from message m ${messageJoins}`,
)

function insertParameters(message: NewMessage): InsertParameters {
  const { id, channelId, authorId, authorKind, content, visibility, parentId, mentionedIds, searchWords } =
    message
  return [channelId, authorId, id, content, visibility, parentId, mentionedIds, searchWords, authorKind]
}

/**
 * Inserts the message of a person with all dependent rows in one statement. Undefined if the person or a reader is not in
 * the channel, the channel is archived, or the person does not see the parent there.
 */
export function insertMessage(
  tx: Tx,
  message: NewMessage,
  readerIds: string[],
): Promise<InsertedMessage<ReadableMessageRow> | undefined> {
  return tx.first(insertOfPerson, ...insertParameters(message), readerIds)
}

/** The same for an application. Undefined if it has no access, the channel is archived, or it does not see the parent. */
export function insertAppMessage(
  tx: Tx,
  message: NewMessage,
): Promise<InsertedMessage<MessageRow> | undefined> {
  return tx.first(insertOfApplication, ...insertParameters(message))
}

/** The new state of a message. `replies` and `visibleReplies` are changes of the reply counts of its thread. */
export type MessageChange = {
  content: string
  visibility: MessageVisibility
  isEdited: boolean
  isDeleted: boolean
  mentionedIds: string[]
  searchWords: string[]
  replies: number
  visibleReplies: number
}

const lastReply = (alias: string, visibleTo: string) => `(
    select ${alias}.created_at from chat_message ${alias}
    where ${alias}.organization_id = $1 and ${alias}.root_id = u.id and ${alias}.id <> $2
      and ${alias}.deleted_at is null and ${visibleTo} order by ${alias}.seq desc limit 1)`
const replyTime = (column: string, change: string, last: string) =>
  `${column} = case when ${change}::integer > 0 then greatest(u.${column}, m.created_at)
      when ${change} < 0 then ${last} else u.${column} end`

const updateMessage = sql<
  ReadableMessageRow & { newly_mentioned: string[] | null },
  [
    id: string,
    personId: string,
    channelId: string,
    content: string,
    visibility: string,
    isEdited: boolean,
    isDeleted: boolean,
    mentionedIds: string[],
    searchWords: string[],
    replies: number,
    visibleReplies: number,
  ]
>(`
  with message as (
    update chat_message v set content = $5, visibility = $6,
      edited_at = case when $7::boolean then now() else v.edited_at end,
      deleted_at = case when $8::boolean then now() else v.deleted_at end
    where v.organization_id = $1 and v.id = $2 returning v.*),
  search_row as (
    update chat_search s set terms = ${searchTerms('$10', termPrefix('$4', 'm.seq'))}
    from message m where s.organization_id = $1 and s.message_id = $2),
  author_reader as (
    insert into chat_reader (organization_id, channel_id, person_id, seq, message_id, root_id)
    select $1, m.channel_id, $3, m.seq, m.id, m.root_id from message m where $6 = 'PRIVATE' and not $8
    on conflict do nothing),
  removed_readers as (
    delete from chat_reader z where z.organization_id = $1 and z.message_id = $2 and $6 <> 'PRIVATE'),
  mentioned as (
    insert into chat_mention (organization_id, message_id, mentioned_id, kind, channel_id)
    select $1, $2, g.id, g.kind, $4 from ${mentionable('$4', '$9', '$6')} g where g.id <> $3
    on conflict do nothing returning mentioned_id, kind),
  thread_counts as (
    update chat_message u set reply_count = u.reply_count + $11, visible_reply_count = u.visible_reply_count + $12,
      ${replyTime('last_reply_at', '$11', lastReply('l', `l.visibility <> 'PRIVATE'`))},
      ${replyTime('visible_last_reply_at', '$12', lastReply('j', `j.visibility = 'VISIBLE'`))}
    from message m where u.organization_id = $1 and u.id = m.root_id and ($11 <> 0 or $12 <> 0))
  select ${messageColumns}, ${personColumns('$3')}, ${mentionsJson(`(
      select n.kind, n.mentioned_id from chat_mention n
      where n.organization_id = $1 and n.message_id = $2 and strpos($5, '<@' || n.mentioned_id || '>') > 0
      union all select kind, mentioned_id from mentioned)`)} as mentions,
    (select array_agg(i.mentioned_id) from mentioned i where i.kind = 'APP') as newly_mentioned
  from message m ${messageJoins}`)
// locked first, so that the last reply is determined after concurrent changes of the thread
const lockRoot = sql<{ id: string }, [id: string]>(
  'select r.id from chat_message r where r.organization_id = $1 and r.id = $2 for no key update',
)

/** Updates a locked message. Returns the applications that it mentions for the first time. */
export async function setMessage(
  tx: Tx,
  personId: string,
  { id, channel_id, root_id }: MessageRow,
  change: MessageChange,
): Promise<{ message: ReadableMessageRow; newlyMentioned: string[] }> {
  const { content, visibility, isEdited, isDeleted, mentionedIds, searchWords, replies, visibleReplies } =
    change
  const text = [content, visibility, isEdited, isDeleted, mentionedIds, searchWords] as const
  const lockedRoot = root_id === null ? undefined : tx.first(lockRoot, root_id)
  const changed = tx.first(updateMessage, id, personId, channel_id, ...text, replies, visibleReplies)
  const [row] = await Promise.all([changed, lockedRoot])
  const { newly_mentioned, ...message } = row!
  return { message, newlyMentioned: newly_mentioned ?? [] }
}
