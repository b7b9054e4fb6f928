import type { ChannelNotification, ChannelRole } from '#contract/chat/shapes.ts'
import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { organizationLockKey } from '#platform/data/organization-lock.ts'
import { sql } from '#platform/data/statement.ts'
import { lockMembershipsShared } from '../channel-access/membership-lock.sql.ts'

/** A person with their name in the organization. */
type Person = { id: string; name: string }
export type ChannelMemberRow = Person & { role: ChannelRole }

const select = sql<ChannelMemberRow, { channelId: string; personId: string }>(
  `select m.person_id as id, p.name, m.role from chat_member m
   join membership p on p.organization_id = $organization and p.person_id = m.person_id
   where m.organization_id = $organization and m.channel_id = $channelId and m.person_id = $personId`,
)
const selectPeople = sql<Person, { personIds: readonly string[] }>(
  `select p.person_id as id, p.name from membership p
   where p.organization_id = $organization and p.person_id = any($personIds) and p.removed_at is null`,
)
// earlier messages count as read for a new member
const insert = sql<never, { channelId: string; personIds: readonly string[]; role: ChannelRole }>(
  `insert into chat_member (organization_id, channel_id, person_id, role, read_seq)
   select c.organization_id, c.id, p.person_id, $role, c.last_seq from chat_channel c
   join membership p on p.organization_id = $organization and p.person_id = any($personIds) and p.removed_at is null
   where c.organization_id = $organization and c.id = $channelId
   on conflict (organization_id, channel_id, person_id) do nothing returning person_id`,
)
const update = sql<never, { channelId: string; personId: string; role: ChannelRole }>(
  `update chat_member m set role = $role where m.organization_id = $organization and m.channel_id = $channelId
    and m.person_id = $personId`,
)
const updateNotification = sql<
  { is_changed: boolean },
  { channelId: string; personId: string; notification: ChannelNotification }
>(
  `with mine as materialized (
     select m.notification from chat_member m
     where m.organization_id = $organization and m.channel_id = $channelId and m.person_id = $personId
       for no key update),
   changed as (
     update chat_member m set notification = $notification from mine
     where m.organization_id = $organization and m.channel_id = $channelId and m.person_id = $personId
       and mine.notification <> $notification)
   select mine.notification <> $notification as is_changed from mine`,
)
const remove = sql<never, { channelId: string; personId: string }>(
  `delete from chat_member m where m.organization_id = $organization and m.channel_id = $channelId
    and m.person_id = $personId`,
)

export function memberOf(db: Db, channelId: string, personId: string): Promise<ChannelMemberRow | undefined> {
  return db.first(select, { channelId, personId })
}

/** Those of the people who are in the organization now. */
export function peopleOf(db: Db, personIds: readonly string[]): Promise<Person[]> {
  return db.rows(selectPeople, { personIds })
}

export async function personOf(db: Db, personId: string): Promise<Person | undefined> {
  return (await peopleOf(db, [personId]))[0]
}

/** Returns how many people were added; those who are members already are skipped. */
export function insertMembers(
  tx: Tx,
  channelId: string,
  personIds: readonly string[],
  role: ChannelRole,
): Promise<number> {
  return tx.run(insert, { channelId, personIds, role })
}

/** False if the person is a member already, or has left the organization. */
export async function insertMember(
  tx: Tx,
  channelId: string,
  personId: string,
  role: ChannelRole,
): Promise<boolean> {
  return (await insertMembers(tx, channelId, [personId], role)) === 1
}

export async function setRole(tx: Tx, channelId: string, personId: string, role: ChannelRole): Promise<void> {
  await tx.run(update, { channelId, personId, role })
}

/** Whether the setting differs from the earlier one. Undefined if the person is not a member. */
export function setNotification(
  tx: Tx,
  channelId: string,
  personId: string,
  notification: ChannelNotification,
): Promise<{ is_changed: boolean } | undefined> {
  return tx.first(updateNotification, { channelId, personId, notification })
}

/** False if the person is not a member. */
export async function removeMember(tx: Tx, channelId: string, personId: string): Promise<boolean> {
  return (await tx.run(remove, { channelId, personId })) === 1
}

// ordered, to avoid deadlocks
const lockPeople = sql<never, { personIds: readonly string[] }>(
  `select pg_advisory_xact_lock(k.key) from (
     select ${organizationLockKey('channels of', 'p.id')} as key
     from unnest($personIds::text[]) p (id)
     order by 1 offset 0) k`,
)
const selectHasCapacity = sql<
  { has_capacity: boolean },
  { channelId: string; personIds: readonly string[]; memberLimit: number; channelLimit: number }
>(
  `select (select count(*) from chat_member m where m.organization_id = $organization and m.channel_id = $channelId)
       + cardinality($personIds::text[]) <= $memberLimit::int
     and not exists (
       select from unnest($personIds::text[]) p (id)
       where (select count(*) from chat_member o where o.organization_id = $organization
         and o.person_id = p.id) >= $channelLimit::int
     ) as has_capacity`,
)

/**
 * True if the limits of members per channel and channels per person allow adding these people. Exact for a locked
 * channel: until the transaction ends no other one adds these people to a channel or changes memberships.
 */
export async function hasCapacity(tx: Tx, channelId: string, personIds: readonly string[]): Promise<boolean> {
  const { membersPerChannel, channelsPerPerson } = limits
  const [, , counted] = await tx.inOrder(
    () => lockMembershipsShared(tx),
    () => tx.rows(lockPeople, { personIds }),
    () =>
      tx.one(selectHasCapacity, {
        channelId,
        personIds,
        memberLimit: membersPerChannel,
        channelLimit: channelsPerPerson,
      }),
  )
  return counted.has_capacity
}

const selectOthers = sql<{ hasOwner: boolean; hasMembers: boolean }, { channelId: string; personId: string }>(
  `select bool_or(m.role = 'OWNER') is true as "hasOwner", count(*) > 0 as "hasMembers" from chat_member m
   where m.organization_id = $organization and m.channel_id = $channelId and m.person_id <> $personId`,
)

/** Whether the channel has another owner and any other members than this person. */
export function otherMembersOf(
  tx: Tx,
  channelId: string,
  personId: string,
): Promise<{ hasOwner: boolean; hasMembers: boolean }> {
  return tx.one(selectOthers, { channelId, personId })
}

/** The sort rank of a member by role, as in index chat_member_role_order; 1 for owners. */
export function rankOf(alias: string): string {
  return `case ${alias}.role when 'OWNER' then 1 when 'ADMIN' then 2 else 3 end`
}

const fromPresent = `from chat_member m
   join membership p on p.organization_id = $organization and p.person_id = m.person_id and p.removed_at is null
   where m.organization_id = $organization and m.channel_id = $channelId`
// index chat_member_role_order
const page = sql<ChannelMemberRow, { channelId: string; limit: number; offset: number }>(
  `select m.person_id as id, p.name, m.role ${fromPresent}
    order by ${rankOf('m')}, m.joined_at, m.person_id limit $limit offset $offset`,
)
const count = sql<{ total: number }, { channelId: string }>(`select count(*) as total ${fromPresent}`)

/** Members who are in the organization now: owners first, then administrators. */
export async function listMembers(
  db: Db,
  channelId: string,
  limit: number,
  offset: number,
): Promise<{ rows: ChannelMemberRow[]; total: number }> {
  const [rows, counted] = await Promise.all([
    db.rows(page, { channelId, limit, offset }),
    db.one(count, { channelId }),
  ])
  return { rows, total: counted.total }
}
