import type { Db } from '#platform/data/db.ts'
import { type Statement, sql } from '#platform/data/statement.ts'
import { isVisible, mentionsOf, messageColumns, messageJoins, personColumns } from '../message.access.ts'
import type { MessageRow, ReadableMessageRow } from '../message.json.ts'
import type { ReadDirection } from './message-page.ts'

/** Both bounds are message numbers and are excluded. */
export type SeqRange = { before: number; after: number; limit: number; direction: ReadDirection }

type PageColumn = 'channel_id' | 'root_id'
type PageArgs = { containerId: string; personId: string; before: number; after: number; limit: number }

const orders: Record<ReadDirection, string> = { older: 'desc', newer: 'asc' }

// messages for all members and private messages of the reader have an index each, so no other private message is scanned
const pageSql = (column: PageColumn, direction: ReadDirection) => {
  const inRange = (alias: string) =>
    `${alias}.${column} = $containerId and ${alias}.seq < $before and ${alias}.seq > $after
      order by ${alias}.seq ${orders[direction]} limit $limit`
  return sql<ReadableMessageRow, PageArgs>(`
    with page as materialized (
      (select s.id, s.seq from chat_message s
       where s.organization_id = $organization and s.visibility <> 'PRIVATE' and ${inRange('s')})
      union all
      (select v.message_id, v.seq from chat_reader v
       where v.organization_id = $organization and v.person_id = $personId and ${inRange('v')})
      order by seq ${orders[direction]} limit $limit)
    select ${messageColumns}, ${mentionsOf}, ${personColumns('$personId')} from page g
    join chat_message m on m.organization_id = $organization and m.id = g.id
    join chat_member me on me.organization_id = $organization and me.channel_id = m.channel_id
      and me.person_id = $personId
    ${messageJoins} order by m.seq ${orders[direction]}`)
}
type PageStatements = Record<ReadDirection, Statement<ReadableMessageRow, PageArgs>>
const ofChannel: PageStatements = {
  older: pageSql('channel_id', 'older'),
  newer: pageSql('channel_id', 'newer'),
}
const ofThread: PageStatements = { older: pageSql('root_id', 'older'), newer: pageSql('root_id', 'newer') }

/** Messages of a channel that the person may read; none if the person is not a member. */
export function messagesOf(
  db: Db,
  channelId: string,
  personId: string,
  range: SeqRange,
): Promise<ReadableMessageRow[]> {
  return db.rows(ofChannel[range.direction], {
    containerId: channelId,
    personId,
    before: range.before,
    after: range.after,
    limit: range.limit,
  })
}

/** The same for the replies to a message. */
export function repliesTo(
  db: Db,
  rootId: string,
  personId: string,
  range: SeqRange,
): Promise<ReadableMessageRow[]> {
  return db.rows(ofThread[range.direction], {
    containerId: rootId,
    personId,
    before: range.before,
    after: range.after,
    limit: range.limit,
  })
}

/** Both bounds are message ids and are excluded; null means no bound. */
export type MessageIdRange = {
  before: string | null
  after: string | null
  limit: number
  direction: ReadDirection
}

// a hidden message is no bound: it would reveal its position to the application
const seqOf = (alias: string, id: string) => `(
  select ${alias}.seq from chat_message ${alias} where ${alias}.organization_id = $organization
    and ${alias}.id = ${id}
    and ${alias}.channel_id = $channelId and ${alias}.visibility = 'VISIBLE')`
const visiblePageSql = (direction: ReadDirection) =>
  sql<
    MessageRow,
    { channelId: string; applicationId: string; before: string | null; after: string | null; limit: number }
  >(`
    select ${messageColumns}, ${mentionsOf} from chat_access a
    join lateral (
      select * from chat_message m
      where m.organization_id = $organization and m.channel_id = a.channel_id and ${isVisible}
        and m.seq < case when $before::text is null then ${Number.MAX_SAFE_INTEGER} else ${seqOf('f', '$before')} end
        and m.seq > case when $after::text is null then 0 else ${seqOf('g', '$after')} end
      order by m.seq ${orders[direction]} limit $limit) m on true
    ${messageJoins}
    where a.organization_id = $organization and a.channel_id = $channelId
      and a.application_id = $applicationId and a.has_access
    order by m.seq ${orders[direction]}`)
const visible = { older: visiblePageSql('older'), newer: visiblePageSql('newer') }

/** Visible messages of a channel; none if the application has no access or does not see a bound. */
export function visibleMessagesOf(
  db: Db,
  channelId: string,
  applicationId: string,
  { direction, before, after, limit }: MessageIdRange,
): Promise<MessageRow[]> {
  return db.rows(visible[direction], { channelId, applicationId, before, after, limit })
}

const countVisible = sql<{ visible: number }, { ids: string[]; channelId: string }>(
  `select count(*)::integer as visible from chat_message m
   where m.organization_id = $organization and m.id = any($ids) and m.channel_id = $channelId
     and m.visibility = 'VISIBLE'`,
)

/** True if each id belongs to a visible message of the channel, which may have been deleted. */
export async function areVisibleMessages(db: Db, channelId: string, ids: string[]): Promise<boolean> {
  return (await db.one(countVisible, { ids, channelId })).visible === new Set(ids).size
}
