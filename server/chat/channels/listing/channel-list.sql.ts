import type { ChannelKind, ChannelNotification } from '#contract/chat/shapes.ts'
import type { Db } from '#platform/data/db.ts'
import { withFilters } from '#platform/data/dynamic-filters.ts'
import { sql } from '#platform/data/statement.ts'
import type { Page } from '#platform/http/pagination.ts'
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
type ListPage<Row> = { rows: Row[]; total: number }
export type ManageableChannelRow = OwnChannelRow & { has_owner: boolean }

/** The other people in a direct conversation of the person `$personId`. */
const otherPeople = `case when c.kind = 'DIRECT' then (
    select coalesce(json_agg(json_build_object('id', o.person_id, 'displayName', p.name)
      order by lower(p.name), o.person_id), '[]')
    from chat_member o join membership p on p.organization_id = $organization and p.person_id = o.person_id
    where o.organization_id = $organization and o.channel_id = c.id and o.person_id <> $personId) end as people`

const selectDetail = sql<OwnChannelListRow, { personId: string; id: string }>(
  `select ${channelColumns}, m.role, m.read_seq, m.notification,
    ${unreadAfter('c.id', '$personId', 'm.read_seq')} as unread, ${otherPeople}
   from chat_channel c
   left join chat_member m on m.organization_id = $organization and m.channel_id = c.id and m.person_id = $personId
   where c.organization_id = $organization and c.id = $id`,
)

/** Includes channels of which the person is not a member; the caller checks access. */
export function channelDetail(db: Db, personId: string, id: string): Promise<OwnChannelListRow | undefined> {
  return db.first(selectDetail, { personId, id })
}

const fromOwn = (condition: string) => `from chat_member m
    join chat_channel c on c.organization_id = $organization and c.id = m.channel_id
    where m.organization_id = $organization and m.person_id = $personId
      and (c.archived_at is not null) = $archived and ${condition}`
const newestFirst = 'order by coalesce(c.last_message_at, c.created_at) desc, c.id desc'
// index chat_member_person, then a sort of at most limits.channelsPerPerson rows. An index in this order would need a
// write for each member with each message
type OwnFilters = { personId: string; archived: boolean; kind: ChannelKind | null }
const ofKind = { kind: 'c.kind = $kind' }
const ownPage = withFilters<OwnChannelListRow, OwnFilters & Page>(
  ofKind,
  condition => `select c.*, ${unreadAfter('c.id', '$personId', 'c.read_seq')} as unread, ${otherPeople} from (
    select ${channelColumns}, m.role, m.read_seq, m.notification ${fromOwn(condition)}
    ${newestFirst} limit $limit offset $offset) c ${newestFirst}`,
)
const ownCount = withFilters<{ total: number }, OwnFilters>(
  ofKind,
  condition => `select count(*) as total ${fromOwn(condition)}`,
)

/** The channel with the latest message first. */
export function ownChannels(
  db: Db,
  personId: string,
  filters: Omit<OwnFilters, 'personId'>,
  bounds: Page,
): Promise<ListPage<OwnChannelListRow>> {
  const args = { ...filters, ...bounds, personId }
  return readPage(db.rows(ownPage(args), args), db.one(ownCount(args), args))
}

const byName = 'order by c.name_folded, c.id'
// a subquery per row of the page: the planner would run a join over far more rows
const role = `(select m.role from chat_member m
      where m.organization_id = $organization and m.channel_id = c.id and m.person_id = $personId) as role`
const withRole = (rows: string, more = '') => `select c.*, ${role}${more} from (
    select ${channelColumns}, c.name_folded ${rows} ${byName} limit $limit offset $offset) c ${byName}`

const isNamed = 'c.name_folded like $search'
const fromDiscoverable = (condition: string) => `from chat_channel c
    where c.organization_id = $organization and c.is_discoverable and c.archived_at is null and ${condition}`
// index chat_channel_directory or chat_channel_search
const directoryPage = withFilters<OwnChannelRow, { personId: string; search: string | null } & Page>(
  { search: isNamed },
  condition => withRole(fromDiscoverable(condition)),
)
const directoryCount = withFilters<{ total: number }, { search: string | null }>(
  { search: isNamed },
  condition => `select count(*) as total ${fromDiscoverable(condition)}`,
)

/** By name. `search` is a LIKE pattern for folded names. */
export function directory(
  db: Db,
  personId: string,
  search: string | null,
  bounds: Page,
): Promise<ListPage<OwnChannelRow>> {
  const args = { ...bounds, personId, search }
  return readPage(db.rows(directoryPage(args), args), db.one(directoryCount(args), args))
}

const fromManageable = (condition: string) => `from chat_channel c
    where c.organization_id = $organization and c.kind in ('CHANNEL', 'GROUP')
      and (c.archived_at is not null) = $archived and ${condition}`
const hasOwner = `coalesce((
      select true from chat_member w
      join membership p on p.organization_id = $organization and p.person_id = w.person_id and p.removed_at is null
      where w.organization_id = $organization and w.channel_id = c.id and ${rankOf('w')} = 1 limit 1), false)`
// index chat_channel_by_name or chat_channel_search, and chat_member_role_order for the owner of each channel
type ManageableFilters = { archived: boolean; search: string | null; hasOwner: boolean | null }
const manageableFilters = { search: isNamed, hasOwner: `$hasOwner = ${hasOwner}` }
const manageablePage = withFilters<ManageableChannelRow, ManageableFilters & { personId: string } & Page>(
  manageableFilters,
  condition => withRole(fromManageable(condition), `, ${hasOwner} as has_owner`),
)
const manageableCount = withFilters<{ total: number }, ManageableFilters>(
  manageableFilters,
  condition => `select count(*) as total ${fromManageable(condition)}`,
)

/** By name. `search` is a LIKE pattern for folded names. */
export function manageableChannels(
  db: Db,
  personId: string,
  filters: ManageableFilters,
  bounds: Page,
): Promise<ListPage<ManageableChannelRow>> {
  const args = { ...filters, ...bounds, personId }
  return readPage(db.rows(manageablePage(args), args), db.one(manageableCount(args), args))
}

async function readPage<Row extends ChannelRow>(
  rows: Promise<Row[]>,
  count: Promise<{ total: number }>,
): Promise<ListPage<Row>> {
  const [items, { total }] = await Promise.all([rows, count])
  return { rows: items, total }
}
