import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { termPrefix } from '../messages/search/message-search.terms.ts'

/** A message to import. `rootId` is the first message of its thread. */
export type ImportedMessage = {
  id: string
  rootId: string | null
  authorId: string
  content: string
  at: string
  words: string[]
}

const selectOrganization = sql<{ id: string; name: string }>(
  'select o.id, o.name from organization o where o.id = $organization',
)
export function organizationOf(db: Db): Promise<{ id: string; name: string } | undefined> {
  return db.first(selectOrganization)
}

const selectMembers = sql<{ id: string; email: string }, { emails: string[] }>(
  `select p.id, p.email from person p
   join membership m on m.organization_id = $organization and m.person_id = p.id and m.removed_at is null
   where p.email = any($emails)`,
)
/** The members with these addresses, which are lower-case. */
export function membersByEmail(db: Db, emails: string[]): Promise<{ id: string; email: string }[]> {
  return db.rows(selectMembers, { emails })
}

type ImportedChannel = {
  id: string
  name: string
  folded: string
  description: string | null
  isPublic: boolean
  createdBy: string
  createdAt: string
  isArchived: boolean
}
const insertChannel = sql<never, ImportedChannel>(`
  insert into chat_channel (organization_id, id, kind, name, name_folded, description, is_discoverable,
    created_by, created_at, archived_at, archived_by)
  values ($organization, $id, 'CHANNEL', $name, $folded, $description, $isPublic, $createdBy, $createdAt,
    case when $isArchived then now() end, case when $isArchived then $createdBy end)
  on conflict (organization_id, id) do nothing`)

/** Inserts a channel. Returns false if an earlier import did. */
export async function insertImportedChannel(tx: Tx, channel: ImportedChannel): Promise<boolean> {
  const { id, name, folded, description, isPublic, createdBy, createdAt, isArchived } = channel
  return (
    (await tx.run(insertChannel, {
      id,
      name,
      folded,
      description,
      isPublic,
      createdBy,
      createdAt,
      isArchived,
    })) > 0
  )
}

// members who had read everything have read the imported messages too
const insertMessages = sql<{ added: number }, { channelId: string; rows: string }>(`
  with given as materialized (
    select r.* from jsonb_to_recordset($rows::jsonb) as r(ordinal integer, id text, root_id text,
      author_id text, content text, at timestamptz, words text[])
    where not exists (select from chat_message m where m.organization_id = $organization and m.id = r.id)),
  numbered as (
    update chat_channel c set last_seq = c.last_seq + (select count(*) from given),
      last_message_at = greatest(c.last_message_at, (select max(at) from given)),
      last_visible_at = greatest(c.last_visible_at, (select max(at) from given))
    where c.organization_id = $organization and c.id = $channelId and exists (select from given)
    returning c.last_seq - (select count(*) from given) as before, c.last_seq),
  inserted as (
    insert into chat_message (organization_id, id, channel_id, seq, root_id, author_kind, author_id, content, visibility,
      created_at)
    select $organization, g.id, $channelId, d.before + row_number() over (order by g.ordinal),
      case when g.root_id in (select id from given)
        or exists (select from chat_message m where m.organization_id = $organization and m.id = g.root_id
          and m.channel_id = $channelId) then g.root_id end,
      'USER', g.author_id, g.content, 'VISIBLE', g.at
    from given g cross join numbered d returning id, seq),
  searchable as (
    insert into chat_search (organization_id, message_id, channel_id, terms)
    select $organization, i.id, $channelId,
      array_to_tsvector(array(select ${termPrefix('$channelId', 'i.seq')} || w from unnest(g.words) w))
    from inserted i join given g on g.id = i.id),
  readers as (
    update chat_member k set read_seq = d.last_seq from numbered d
    where k.organization_id = $organization and k.channel_id = $channelId and k.read_seq = d.before)
  select count(*)::int as added from inserted`)
const countReplies = sql<never, { rootIds: string[] }>(`
  update chat_message u set reply_count = x.n, last_reply_at = x.at, visible_reply_count = x.visible_n,
    visible_last_reply_at = x.visible_at
  from (
    select r.root_id, count(*) as n, max(r.created_at) as at,
      count(*) filter (where r.visibility = 'VISIBLE') as visible_n,
      max(r.created_at) filter (where r.visibility = 'VISIBLE') as visible_at
    from chat_message r
    where r.organization_id = $organization and r.root_id = any($rootIds) and r.visibility <> 'PRIVATE'
      and r.deleted_at is null
    group by r.root_id) x
  where u.organization_id = $organization and u.id = x.root_id`)

/**
 * Appends messages to a channel in their order, with their own times, without events. Messages that an earlier import added
 * are skipped; a reply whose thread is missing becomes a message of its own. Returns how many were added.
 */
export async function appendMessages(
  tx: Tx,
  channelId: string,
  messages: readonly ImportedMessage[],
): Promise<number> {
  const rows = messages.map(({ rootId, authorId, ...message }, ordinal) => ({
    ...message,
    ordinal,
    root_id: rootId,
    author_id: authorId,
  }))
  const rootIds = [...new Set(messages.flatMap(({ rootId }) => (rootId === null ? [] : [rootId])))]
  const { added } = await tx.one(insertMessages, { channelId, rows: JSON.stringify(rows) })
  if (added > 0 && rootIds.length > 0) await tx.run(countReplies, { rootIds })
  return added
}
