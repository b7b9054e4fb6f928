import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/database.ts'
import { sql } from '#platform/data/statement.ts'
import { mayRead, mentionsOf, messageColumns, seenRoot, shownWith } from '../message.access.ts'
import type { ReadRow } from '../message.json.ts'
import { placeOf, stretchLength } from './message-search.terms.ts'

const most = limits.messageSearchResults
const hasWords = (place: string) => `s.terms @@ replace($3, '~', ${place})::tsquery`

/**
 * The newest messages that have the words. A common word is found among the newest messages of all; otherwise the index
 * is asked for each channel, one stretch after the other from the newest to the oldest, until there are enough; `offset 0`
 * keeps the planner from walking through all messages in their order instead.
 */
const found = (own: string, newest: string) => `
  with own as materialized (
    select c.channel_id as id, h.last_seq / ${stretchLength} as last_stretch from chat_member c
    join chat_channel h on h.organization_id = $1 and h.id = c.channel_id
    where c.organization_id = $1 and c.person_id = $2 ${own}),
  newest as materialized (
    select m.id from (
      select k.id, k.channel_id, k.seq, k.visibility, k.author_id from chat_message k
      where k.organization_id = $1 ${newest} desc limit ${limits.searchLookedNewest}) m
    join chat_search s on s.organization_id = $1 and s.message_id = m.id
    where m.channel_id in (select id from own) and ${hasWords(placeOf('m.channel_id', 'm.seq'))} and ${mayRead('$2')}
    order by m.id desc limit ${most}),
  older as materialized (
    select f.id from own cross join lateral (
      select e.id from generate_series(own.last_stretch, 0, -1) n (stretch) cross join lateral (
        select m.id from (
          select s.message_id from chat_search s
          where s.organization_id = $1 and s.channel_id = own.id
            and ${hasWords(`right(own.id, 8) || '.' || n.stretch || '.'`)} offset 0) i
        join chat_message m on m.organization_id = $1 and m.id = i.message_id
        where ${mayRead('$2')} order by m.id desc limit ${most}) e
      limit ${most}) f
    where (select count(*) from newest) < ${most})
  select ${messageColumns}, ${mentionsOf}, ${seenRoot('$2')}
  from (select id from newest union select id from older) g
  join chat_message m on m.organization_id = $1 and m.id = g.id
  ${shownWith} order by m.id desc limit ${most}`

const inAll = sql<ReadRow, [personId: string, wanted: string]>(found('', 'order by k.id'))
const inOne = sql<ReadRow, [personId: string, wanted: string, channelId: string]>(
  found('and c.channel_id = $4', 'and k.channel_id = $4 order by k.seq'),
)

/** The newest messages that have what is `wanted` and that the person may read, of all their channels or of one. */
export function findMessages(
  db: Db,
  personId: string,
  wanted: string,
  channelId: string | undefined,
): Promise<ReadRow[]> {
  return channelId === undefined
    ? db.rows(inAll, personId, wanted)
    : db.rows(inOne, personId, wanted, channelId)
}
