import type { ChannelKind } from '#contract/chat/shapes.ts'
import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { unreadInThread } from '../../read-markers/read-marker.sql.ts'
import { mayRead, mentionsOf, messageColumns, messageJoins, personColumns } from '../message.access.ts'
import type { ReadableMessageRow } from '../message.json.ts'

// in the order of ids, so that two replies cannot deadlock. A private reply concerns its readers only
const upsertPeople = sql<never, { messageId: string }>(
  `insert into chat_thread_person as p (organization_id, person_id, thread_id, active_at)
   select m.organization_id, i.person_id, coalesce(m.root_id, m.id), now() from chat_message m
   cross join lateral (
     select m.author_id where m.author_kind <> 'APP'
     union select t.author_id from chat_message t
       where t.organization_id = $organization and t.id = m.root_id and t.author_kind <> 'APP'
     union select n.mentioned_id from chat_mention n
       where n.organization_id = $organization and n.message_id in (m.id, m.root_id)
         and n.kind = 'USER') i (person_id)
   where m.organization_id = $organization and m.id = $messageId and (m.root_id is not null or m.reply_count > 0)
     and (m.visibility <> 'PRIVATE' or exists (
       select from chat_reader r
       where r.organization_id = $organization and r.message_id = m.id and r.person_id = i.person_id))
   order by i.person_id
   on conflict (organization_id, person_id, thread_id) do update set active_at = excluded.active_at
   returning p.person_id`,
)

/** Records the people whom a new or changed message of a thread concerns (MSG-18). Other messages change nothing. */
export async function recordThreadPeople(tx: Tx, messageId: string): Promise<void> {
  await tx.run(upsertPeople, { messageId })
}

// index chat_thread_person_recent, then a sort of at most limits.threadsPerPerson rows
const threadsOfPerson = `
  with recent as materialized (
    select p.thread_id from chat_thread_person p
    where p.organization_id = $organization and p.person_id = $personId
    order by p.active_at desc, p.thread_id limit ${limits.threadsPerPerson}),
  thread as materialized (
    select m.id, coalesce(m.last_reply_at, m.created_at) as at, me.read_seq, c.kind as channel_kind,
      c.name as channel_name
    from recent
    join chat_message m on m.organization_id = $organization and m.id = recent.thread_id
    join chat_member me on me.organization_id = $organization and me.channel_id = m.channel_id
      and me.person_id = $personId
    join chat_channel c on c.organization_id = $organization and c.id = m.channel_id
    where ${mayRead('$personId')} and (m.reply_count > 0 or exists (
      select from chat_reader v
      where v.organization_id = $organization and v.person_id = $personId and v.root_id = m.id)))`

/** The first message of a thread, with its channel and the number of unread replies. */
export type OwnThreadRow = ReadableMessageRow & {
  channel_kind: ChannelKind
  channel_name: string | null
  unread: number
}

const selectPage = sql<OwnThreadRow, { personId: string; limit: number; offset: number }>(`${threadsOfPerson}
  select ${messageColumns}, ${mentionsOf}, ${personColumns('$personId')}, g.channel_kind, g.channel_name,
    ${unreadInThread('m.id', '$personId', 'g.read_seq')} as unread
  from (select * from thread order by thread.at desc, thread.id desc limit $limit offset $offset) g
  join chat_message m on m.organization_id = $organization and m.id = g.id
  ${messageJoins} order by g.at desc, g.id desc`)
const count = sql<{ total: number }, { personId: string }>(
  `${threadsOfPerson} select count(*) as total from thread`,
)

/** The threads of a person, the one with the latest reply first. */
export async function threadsOf(
  db: Db,
  personId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: OwnThreadRow[]; total: number }> {
  const [rows, counted] = await Promise.all([
    db.rows(selectPage, { personId, limit, offset }),
    db.one(count, { personId }),
  ])
  return { rows, total: counted.total }
}
