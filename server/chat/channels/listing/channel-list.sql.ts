import type { ChannelKind, ChannelNotification } from '#contract/chat/shapes.ts'
import type { Db } from '#platform/data/database.ts'
import { withFilters } from '#platform/data/dynamic-filters.ts'
import { sql } from '#platform/data/statement.ts'
import { rankOf } from '../../members/member.sql.ts'
import { unreadAfter } from '../../read-markers/read-marker.sql.ts'
import { type ChannelRow, channelColumns, type OwnChannelRow } from '../channel.access.ts'

/** A channel with the role, the read marker and the unread count of the caller. */
export type OwnChannelListRow = OwnChannelRow & {
  read_seq: number | null
  unread: number
  notification: ChannelNotification | null
  /** The other people of a direct conversation, including people who left the organization. */
  people: { id: string; displayName: string }[] | null
}
export type ManageableChannelRow = OwnChannelRow & { has_owner: boolean }

/** The other people in a direct conversation of the person `$2`. */
const otherPeople = `case when c.kind = 'DIRECT' then (
    select coalesce(json_agg(json_build_object('id', o.person_id, 'displayName', p.name) order by lower(p.name), o.person_id), '[]')
    from chat_member o join membership p on p.organization_id = $1 and p.person_id = o.person_id
    where o.organization_id = $1 and o.channel_id = c.id and o.person_id <> $2) end as people`

const selectDetail = sql<OwnChannelListRow, [personId: string, id: string]>(
  `select ${channelColumns}, m.role, m.read_seq, m.notification, ${unreadAfter('c.id', '$2', 'm.read_seq')} as unread, ${otherPeople}
   from chat_channel c
   left join chat_member m on m.organization_id = $1 and m.channel_id = c.id and m.person_id = $2
   where c.organization_id = $1 and c.id = $3`,
)

/** Includes channels of which the person is not a member; the caller checks access. */
export function channelDetail(db: Db, personId: string, id: string): Promise<OwnChannelListRow | undefined> {
  return db.first(selectDetail, personId, id)
}

const fromOwn = (condition: string) => `from chat_member m
    join chat_channel c on c.organization_id = $1 and c.id = m.channel_id
    where m.organization_id = $1 and m.person_id = $2 and (c.archived_at is not null) = $3 and ${condition}`
const newestFirst = 'order by coalesce(c.last_message_at, c.created_at) desc, c.id desc'
// index chat_member_person, then a sort of at most limits.channelsPerPerson rows. An index in this order would need a
// write for each member with each message
const ownPage = withFilters<
  OwnChannelListRow,
  [personId: string, archived: boolean, kind: ChannelKind | null, limit: number, offset: number]
>(
  ['c.kind = $4'],
  condition => `select c.*, ${unreadAfter('c.id', '$2', 'c.read_seq')} as unread, ${otherPeople} from (
    select ${channelColumns}, m.role, m.read_seq, m.notification ${fromOwn(condition)}
    ${newestFirst} limit $5 offset $6) c ${newestFirst}`,
)
const ownCount = withFilters<
  { total: number },
  [personId: string, archived: boolean, kind: ChannelKind | null]
>(['c.kind = $4'], condition => `select count(*) as total ${fromOwn(condition)}`)

type ListPage<Row> = { rows: Row[]; total: number }
type PageBounds = { limit: number; offset: number }

/** The channel with the latest message first. */
export function ownChannels(
  db: Db,
  personId: string,
  { archived, kind }: { archived: boolean; kind: ChannelKind | null },
  { limit, offset }: PageBounds,
): Promise<ListPage<OwnChannelListRow>> {
  return readPage(
    db.rows(ownPage(kind), personId, archived, kind, limit, offset),
    db.first(ownCount(kind), personId, archived, kind),
  )
}

const byName = 'order by c.name_folded, c.id'
// a subquery per row of the page: the planner would run a join over far more rows
const role = `(select m.role from chat_member m
      where m.organization_id = $1 and m.channel_id = c.id and m.person_id = $2) as role`
const withRole = (rows: string, more = '') => `select c.*, ${role}${more} from (
    select ${channelColumns}, c.name_folded ${rows} ${byName} limit $4 offset $5) c ${byName}`

const nameFilter = (at: number) => [`c.name_folded like $${at}`]
const fromDiscoverable = (condition: string) => `from chat_channel c
    where c.organization_id = $1 and c.is_discoverable and c.archived_at is null and ${condition}`
// index chat_channel_directory or chat_channel_search
const directoryPage = withFilters<
  OwnChannelRow,
  [personId: string, search: string | null, limit: number, offset: number]
>(nameFilter(3), condition => withRole(fromDiscoverable(condition)))
const directoryCount = withFilters<{ total: number }, [search: string | null]>(
  nameFilter(2),
  condition => `select count(*) as total ${fromDiscoverable(condition)}`,
)

/** By name. `search` is a LIKE pattern for folded names. */
export function directory(
  db: Db,
  personId: string,
  search: string | null,
  { limit, offset }: PageBounds,
): Promise<ListPage<OwnChannelRow>> {
  return readPage(
    db.rows(directoryPage(search), personId, search, limit, offset),
    db.first(directoryCount(search), search),
  )
}

const fromManageable = (condition: string, archived: string) => `from chat_channel c
    where c.organization_id = $1 and c.kind in ('CHANNEL', 'GROUP') and (c.archived_at is not null) = ${archived} and ${condition}`
const hasOwner = `coalesce((
      select true from chat_member w
      join membership p on p.organization_id = $1 and p.person_id = w.person_id and p.removed_at is null
      where w.organization_id = $1 and w.channel_id = c.id and ${rankOf('w')} = 1 limit 1), false)`
// its parameter is the first one in the text: without the filter, that one is compared with null
const ownerFilter = (at: number) => `$${at} = ${hasOwner}`
// index chat_channel_by_name or chat_channel_search, and chat_member_role_order for the owner of each channel
const manageablePage = withFilters<
  ManageableChannelRow,
  [
    personId: string,
    search: string | null,
    limit: number,
    offset: number,
    archived: boolean,
    hasOwner: boolean | null,
  ]
>([...nameFilter(3), ownerFilter(7)], condition =>
  withRole(fromManageable(condition, '$6'), `, ${hasOwner} as has_owner`),
)
const manageableCount = withFilters<
  { total: number },
  [archived: boolean, search: string | null, hasOwner: boolean | null]
>(
  [...nameFilter(3), ownerFilter(4)],
  condition => `select count(*) as total ${fromManageable(condition, '$2')}`,
)

/** By name. `search` is a LIKE pattern for folded names. */
export function manageableChannels(
  db: Db,
  personId: string,
  { archived, search, hasOwner }: { archived: boolean; search: string | null; hasOwner: boolean | null },
  { limit, offset }: PageBounds,
): Promise<ListPage<ManageableChannelRow>> {
  return readPage(
    db.rows(manageablePage(search, hasOwner), personId, search, limit, offset, archived, hasOwner),
    db.first(manageableCount(search, hasOwner), archived, search, hasOwner),
  )
}

async function readPage<Row extends ChannelRow>(
  rows: Promise<Row[]>,
  count: Promise<{ total: number } | undefined>,
): Promise<ListPage<Row>> {
  const [items, counted] = await Promise.all([rows, count])
  return { rows: items, total: counted!.total }
}
