import { limits } from '#contract/limits.ts'
import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { mayRead, mentionsOf, messageColumns, messageJoins, personColumns } from '../message.access.ts'
import type { ReadableMessageRow } from '../message.json.ts'
import { segmentLength, termPrefix } from './message-search.terms.ts'

const maxResults = limits.messageSearchResults
const matchesQuery = (prefix: string) => `s.terms @@ replace($searchQuery, '~', ${prefix})::tsquery`

/**
 * The newest messages that contain the words. Common words are found among the newest messages. If these are too few, the
 * index is searched for each channel, segment by segment from newest to oldest, until there are enough. `offset 0` keeps
 * the planner from scanning all messages in order instead.
 */
const searchSql = (own: string, newest: string) => `
  with own as materialized (
    select c.channel_id as id, h.last_seq / ${segmentLength} as last_segment from chat_member c
    join chat_channel h on h.organization_id = $organization and h.id = c.channel_id
    where c.organization_id = $organization and c.person_id = $personId ${own}),
  newest as materialized (
    select m.id from (
      select k.id, k.channel_id, k.seq, k.visibility, k.author_id from chat_message k
      where k.organization_id = $organization ${newest} desc limit ${limits.searchScannedMessages}) m
    join chat_search s on s.organization_id = $organization and s.message_id = m.id
    where m.channel_id in (select id from own) and ${matchesQuery(termPrefix('m.channel_id', 'm.seq'))}
      and ${mayRead('$personId')}
    order by m.id desc limit ${maxResults}),
  older as materialized (
    select f.id from own cross join lateral (
      select e.id from generate_series(own.last_segment, 0, -1) n (segment) cross join lateral (
        select m.id from (
          select s.message_id from chat_search s
          where s.organization_id = $organization and s.channel_id = own.id
            and ${matchesQuery(`right(own.id, 8) || '.' || n.segment || '.'`)} offset 0) i
        join chat_message m on m.organization_id = $organization and m.id = i.message_id
        where ${mayRead('$personId')} order by m.id desc limit ${maxResults}) e
      limit ${maxResults}) f
    where (select count(*) from newest) < ${maxResults})
  select ${messageColumns}, ${mentionsOf}, ${personColumns('$personId')}
  from (select id from newest union select id from older) g
  join chat_message m on m.organization_id = $organization and m.id = g.id
  ${messageJoins} order by m.id desc limit ${maxResults}`

const inAll = sql<ReadableMessageRow, { personId: string; searchQuery: string }>(
  searchSql('', 'order by k.id'),
)
const inOne = sql<ReadableMessageRow, { personId: string; searchQuery: string; channelId: string }>(
  searchSql('and c.channel_id = $channelId', 'and k.channel_id = $channelId order by k.seq'),
)

/** The newest matches that the person may read, in all channels of the person or in one. */
export function findMessages(
  db: Db,
  personId: string,
  searchQuery: string,
  channelId: string | undefined,
): Promise<ReadableMessageRow[]> {
  return channelId === undefined
    ? db.rows(inAll, { personId, searchQuery })
    : db.rows(inOne, { personId, searchQuery, channelId })
}
