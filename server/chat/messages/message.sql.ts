import type { MessageVisibility } from '#contract/chat/shapes.ts'
import type { Tx } from '#platform/data/db.ts'
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
    where f.organization_id = $organization and f.channel_id = ${channel}
      and f.person_id = any(${mentionedIds}::text[])
    union all select h.application_id, 'APP' from chat_access h
    where h.organization_id = $organization and h.channel_id = ${channel}
      and h.application_id = any(${mentionedIds}::text[]) and h.has_access
      and ${visibility} = 'VISIBLE')`
const searchTerms = (words: string, prefix: string) =>
  `array_to_tsvector(array(select ${prefix} || i from unnest(${words}::text[]) i))`
const mentionsJson = (rows: string) =>
  `(select json_agg(json_build_object('kind', e.kind, 'id', e.mentioned_id) order by e.mentioned_id)
    from ${rows} e)`

/**
 * Inserts a message if the author is in the channel, sees the parent, and the channel is not archived; returns no row
 * otherwise. The row of the channel assigns the number: concurrent inserts wait for it, so numbers have no gaps and become
 * visible in order.
 */
const insertMessageSql = (isMember: string, seesParent: string, extraCtes = '') => `
  with parent as materialized (
    select coalesce(m.root_id, m.id) as root_id from ${messageById('$organization', '$parentId')} m
    where m.channel_id = $channelId and m.deleted_at is null and ${seesParent}),
  moment as materialized (select clock_timestamp() as at),
  numbered as (
    update chat_channel c set last_seq = c.last_seq + 1,
      event_sequence = c.event_sequence + case when $visibility = 'VISIBLE' then 1 else 0 end,
      last_message_at = case when $visibility = 'PRIVATE' then c.last_message_at
        else greatest(t.at, c.last_message_at) end,
      last_visible_at = case when $visibility = 'VISIBLE' then greatest(t.at, c.last_message_at)
        else c.last_visible_at end
    from moment t where c.organization_id = $organization and c.id = $channelId and c.archived_at is null and ${isMember}
      and ($parentId::text is null or exists (select from parent))
    returning c.last_seq as seq, c.event_sequence, greatest(t.at, c.last_message_at) as at),
  message as (
    insert into chat_message (organization_id, id, channel_id, seq, root_id, author_kind, author_id, content, visibility,
      created_at)
    select $organization, $id, $channelId, d.seq, (select r.root_id from parent r), $authorKind, $authorId,
      $content, $visibility, d.at from numbered d
    returning *),
  search_row as (
    insert into chat_search (organization_id, message_id, channel_id, terms)
    select $organization, $id, $channelId, ${searchTerms('$searchWords', termPrefix('$channelId', 'd.seq'))}
    from numbered d),
  mentioned as (
    insert into chat_mention (organization_id, message_id, mentioned_id, kind, channel_id)
    select $organization, $id, g.id, g.kind, $channelId from numbered
    cross join ${mentionable('$channelId', '$mentionedIds', '$visibility')} g where g.id <> $authorId
    returning mentioned_id, kind),
  thread_counts as (
    update chat_message u set reply_count = u.reply_count + 1, last_reply_at = d.at,
      visible_reply_count = u.visible_reply_count + case when $visibility = 'VISIBLE' then 1 else 0 end,
      visible_last_reply_at = case when $visibility = 'VISIBLE' then d.at else u.visible_last_reply_at end
    from numbered d where u.organization_id = $organization and u.id = (select p.root_id from parent p)
      and $visibility <> 'PRIVATE')
  ${extraCtes}
  select ${messageColumns}, ${mentionsJson('mentioned')} as mentions, (select d.event_sequence from numbered d)`

/** A new message with the sequence of its application events. */
export type InsertedMessage<Row extends MessageRow> = Row & { event_sequence: number }

type InsertParameters = {
  channelId: string
  authorId: string
  id: string
  content: string
  visibility: string
  parentId: string | null
  mentionedIds: string[]
  searchWords: string[]
  authorKind: string
}

const insertOfPerson = sql<InsertedMessage<ReadableMessageRow>, InsertParameters & { readerIds: string[] }>(
  `${insertMessageSql(
    `exists (select from chat_member me where me.organization_id = $organization
      and me.channel_id = $channelId and me.person_id = $authorId)
      and cardinality($readerIds::text[]) = (select count(*) from chat_member b
        where b.organization_id = $organization and b.channel_id = $channelId and b.person_id = any($readerIds))`,
    mayRead('$authorId'),
    `, new_readers as (
    insert into chat_reader (organization_id, channel_id, person_id, seq, message_id, root_id)
    select $organization, $channelId, i, y.seq, $id, y.root_id from message y
    cross join unnest($readerIds || $authorId) i where $visibility = 'PRIVATE'),
  author_marker as (
    update chat_member k set read_seq = d.seq from numbered d
    where k.organization_id = $organization and k.channel_id = $channelId and k.person_id = $authorId
      and k.read_seq = d.seq - 1)`,
  )}, ${personColumns('$authorId')} from message m ${messageJoins}`,
)

const insertOfApplication = sql<InsertedMessage<MessageRow>, InsertParameters>(
  `${insertMessageSql(
    `exists (select from chat_access a
        where a.organization_id = $organization and a.channel_id = $channelId and a.application_id = $authorId
          and a.has_access)`,
    isVisible,
  )} from message m ${messageJoins}`,
)

/**
 * Inserts the message of a person with all dependent rows in one statement. Undefined if the person or a reader is not in
 * the channel, the channel is archived, or the person does not see the parent there.
 */
export function insertMessage(
  tx: Tx,
  message: NewMessage,
  readerIds: string[],
): Promise<InsertedMessage<ReadableMessageRow> | undefined> {
  return tx.first(insertOfPerson, { ...message, readerIds })
}

/** The same for an application. Undefined if it has no access, the channel is archived, or it does not see the parent. */
export function insertAppMessage(
  tx: Tx,
  message: NewMessage,
): Promise<InsertedMessage<MessageRow> | undefined> {
  return tx.first(insertOfApplication, message)
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
    where ${alias}.organization_id = $organization and ${alias}.root_id = u.id and ${alias}.id <> $id
      and ${alias}.deleted_at is null and ${visibleTo} order by ${alias}.seq desc limit 1)`
const replyTime = (column: string, change: string, last: string) =>
  `${column} = case when ${change}::integer > 0 then greatest(u.${column}, m.created_at)
      when ${change} < 0 then ${last} else u.${column} end`

const updateMessage = sql<
  ReadableMessageRow & { newly_mentioned: string[] | null },
  {
    id: string
    personId: string
    channelId: string
    content: string
    visibility: string
    isEdited: boolean
    isDeleted: boolean
    mentionedIds: string[]
    searchWords: string[]
    replies: number
    visibleReplies: number
  }
>(`
  with message as (
    update chat_message v set content = $content, visibility = $visibility,
      edited_at = case when $isEdited::boolean then now() else v.edited_at end,
      deleted_at = case when $isDeleted::boolean then now() else v.deleted_at end
    where v.organization_id = $organization and v.id = $id returning v.*),
  search_row as (
    update chat_search s set terms = ${searchTerms('$searchWords', termPrefix('$channelId', 'm.seq'))}
    from message m where s.organization_id = $organization and s.message_id = $id),
  author_reader as (
    insert into chat_reader (organization_id, channel_id, person_id, seq, message_id, root_id)
    select $organization, m.channel_id, $personId, m.seq, m.id, m.root_id from message m
    where $visibility = 'PRIVATE' and not $isDeleted
    on conflict do nothing),
  removed_readers as (
    delete from chat_reader z where z.organization_id = $organization and z.message_id = $id
      and $visibility <> 'PRIVATE'),
  mentioned as (
    insert into chat_mention (organization_id, message_id, mentioned_id, kind, channel_id)
    select $organization, $id, g.id, g.kind, $channelId
    from ${mentionable('$channelId', '$mentionedIds', '$visibility')} g where g.id <> $personId
    on conflict do nothing returning mentioned_id, kind),
  thread_counts as (
    update chat_message u set reply_count = u.reply_count + $replies,
      visible_reply_count = u.visible_reply_count + $visibleReplies,
      ${replyTime('last_reply_at', '$replies', lastReply('l', `l.visibility <> 'PRIVATE'`))},
      ${replyTime('visible_last_reply_at', '$visibleReplies', lastReply('j', `j.visibility = 'VISIBLE'`))}
    from message m where u.organization_id = $organization and u.id = m.root_id
      and ($replies <> 0 or $visibleReplies <> 0))
  select ${messageColumns}, ${personColumns('$personId')}, ${mentionsJson(`(
      select n.kind, n.mentioned_id from chat_mention n
      where n.organization_id = $organization and n.message_id = $id
        and strpos($content, '<@' || n.mentioned_id || '>') > 0
      union select kind, mentioned_id from mentioned)`)} as mentions,
    (select array_agg(i.mentioned_id) from mentioned i where i.kind = 'APP') as newly_mentioned
  from message m ${messageJoins}`)
// locked first, so that the last reply is determined after concurrent changes of the thread
const lockRoot = sql<{ id: string }, { id: string }>(
  'select r.id from chat_message r where r.organization_id = $organization and r.id = $id for no key update',
)

/** Updates a locked message. Returns the applications that it mentions for the first time. */
export async function setMessage(
  tx: Tx,
  personId: string,
  { id, channel_id, root_id }: MessageRow,
  change: MessageChange,
): Promise<{ message: ReadableMessageRow; newlyMentioned: string[] }> {
  const lockedRoot = root_id === null ? undefined : tx.first(lockRoot, { id: root_id })
  const changed = tx.one(updateMessage, { ...change, id, personId, channelId: channel_id })
  const [{ newly_mentioned, ...message }] = await Promise.all([changed, lockedRoot])
  return { message, newlyMentioned: newly_mentioned ?? [] }
}
