import type { Db } from '#platform/data/database.ts'
import { type Statement, sql } from '#platform/data/statement.ts'
import { isVisible, mentionsOf, messageColumns, seenRoot, shownWith } from '../message.access.ts'
import type { MessageRow, ReadRow } from '../message.json.ts'
import type { Way } from './message-page.ts'

/** Between two numbers, which are not on the page themselves. */
export type Span = { before: number; after: number; most: number; way: Way }

type Place = 'channel_id' | 'root_id'
type PageArgs = [placeId: string, personId: string, before: number, after: number, most: number]

const orders: Record<Way, string> = { older: 'desc', newer: 'asc' }

// what all members see and what is private to the reader each have an index: what is private to others is never passed
const page = (place: Place, way: Way) => {
  const inSpan = (alias: string) =>
    `${alias}.${place} = $2 and ${alias}.seq < $4 and ${alias}.seq > $5 order by ${alias}.seq ${orders[way]} limit $6`
  return sql<ReadRow, PageArgs>(`
    with page as materialized (
      (select s.id, s.seq from chat_message s
       where s.organization_id = $1 and s.visibility <> 'PRIVATE' and ${inSpan('s')})
      union all
      (select v.message_id, v.seq from chat_reader v
       where v.organization_id = $1 and v.person_id = $3 and ${inSpan('v')})
      order by seq ${orders[way]} limit $6)
    select ${messageColumns}, ${mentionsOf}, ${seenRoot('$3')} from page g
    join chat_message m on m.organization_id = $1 and m.id = g.id
    join chat_member me on me.organization_id = $1 and me.channel_id = m.channel_id and me.person_id = $3
    ${shownWith} order by m.seq ${orders[way]}`)
}
type Pages = Record<Way, Statement<ReadRow, PageArgs>>
const ofChannel: Pages = { older: page('channel_id', 'older'), newer: page('channel_id', 'newer') }
const ofThread: Pages = { older: page('root_id', 'older'), newer: page('root_id', 'newer') }

/** Messages of a channel that the person may read, from where the page begins; none when they are not in it. */
export function messagesOf(db: Db, channelId: string, personId: string, span: Span): Promise<ReadRow[]> {
  return db.rows(ofChannel[span.way], channelId, personId, span.before, span.after, span.most)
}

/** The same of the replies to a message. */
export function repliesTo(db: Db, rootId: string, personId: string, span: Span): Promise<ReadRow[]> {
  return db.rows(ofThread[span.way], rootId, personId, span.before, span.after, span.most)
}

/** Between two messages by their ids, which are not on the page themselves; null for no bound. */
export type Stretch = { before: string | null; after: string | null; most: number; way: Way }

// a message that was never visible, or is not any more, has no place that an application could know
const seqOf = (alias: string, id: string) => `(
  select ${alias}.seq from chat_message ${alias} where ${alias}.organization_id = $1 and ${alias}.id = ${id}
    and ${alias}.channel_id = $2 and ${alias}.visibility = 'VISIBLE')`
const visiblePage = (way: Way) =>
  sql<
    MessageRow,
    [channelId: string, applicationId: string, before: string | null, after: string | null, most: number]
  >(`
    select ${messageColumns}, ${mentionsOf} from chat_access a
    join lateral (
      select * from chat_message m
      where m.organization_id = $1 and m.channel_id = a.channel_id and ${isVisible}
        and m.seq < case when $4::text is null then ${Number.MAX_SAFE_INTEGER} else ${seqOf('f', '$4')} end
        and m.seq > case when $5::text is null then 0 else ${seqOf('g', '$5')} end
      order by m.seq ${orders[way]} limit $6) m on true
    ${shownWith}
    where a.organization_id = $1 and a.channel_id = $2 and a.application_id = $3 and a.reads
    order by m.seq ${orders[way]}`)
const visible = { older: visiblePage('older'), newer: visiblePage('newer') }

/** Visible messages of a channel; none when the application does not read there, or does not see a bound. */
export function visibleMessagesOf(
  db: Db,
  channelId: string,
  applicationId: string,
  { way, before, after, most }: Stretch,
): Promise<MessageRow[]> {
  return db.rows(visible[way], channelId, applicationId, before, after, most)
}

const selectSeen = sql<{ seen: number }, [ids: string[], channelId: string]>(
  `select count(*)::integer as seen from chat_message m
   where m.organization_id = $1 and m.id = any($2) and m.channel_id = $3 and m.visibility = 'VISIBLE'`,
)

/** True when each of these is, or was until it was deleted, a visible message of the channel. */
export async function areBounds(db: Db, channelId: string, ids: string[]): Promise<boolean> {
  return (await db.first(selectSeen, ids, channelId))!.seen === new Set(ids).size
}
