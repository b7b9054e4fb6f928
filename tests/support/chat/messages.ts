import type pg from 'pg'
import { termPrefix } from '#server/chat/messages/search/message-search.terms.ts'

/** Of each `every` messages one is visible; the others are private to `hiddenTo`. */
type ChannelFill = {
  organizationId: string
  channelId: string
  authorId: string
  messages: number
  every?: number
  hiddenTo?: string
  /** SQL expression for the words of the `n`-th message. */
  searchWords?: string
}

/** Appends messages with the same rows as posting, in one statement. */
export async function fillChannel(
  sql: Pick<pg.Pool, 'query'>,
  {
    organizationId,
    channelId,
    authorId,
    messages,
    every = 1,
    hiddenTo = authorId,
    searchWords: words,
  }: ChannelFill,
): Promise<void> {
  const text = words ?? `'word' || n % 1000`
  await sql.query(
    `with first as (select last_seq as seq from chat_channel where organization_id = $1 and id = $2),
     m as (
       insert into chat_message (organization_id, id, channel_id, seq, author_kind, author_id, content, visibility, created_at)
       select $1, substr(md5($2), 1, 1) || to_char(f.seq + n, 'FM00000000') || left($2, 16), $2, f.seq + n, 'USER',
         case when n % $5 = 0 then $3 else $6 end, ${text}, case when n % $5 = 0 then 'VISIBLE' else 'PRIVATE' end,
         now() - make_interval(secs => $4 - n)
       from first f, generate_series(1, $4::integer) n returning *),
     r as (
       insert into chat_reader (organization_id, channel_id, person_id, seq, message_id)
       select $1, $2, $6, m.seq, m.id from m where m.visibility = 'PRIVATE'),
     s as (
       insert into chat_search (organization_id, message_id, channel_id, terms)
       select $1, m.id, $2, array_to_tsvector(array(
         select distinct ${termPrefix('$2', 'm.seq')} || w from unnest(string_to_array(lower(m.content), ' ')) w)) from m)
     update chat_channel c set last_seq = c.last_seq + $4, last_message_at = now(), last_visible_at = now()
     where c.organization_id = $1 and c.id = $2`,
    [organizationId, channelId, authorId, messages, every, hiddenTo],
  )
}
