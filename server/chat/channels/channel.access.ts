import { type ChannelKind, type ChannelRole, manageableKinds } from '#contract/chat/shapes.ts'
import type { Permission } from '#contract/permissions.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { lockMembershipsShared } from '../channel-access/membership-lock.sql.ts'

export type ChannelRow = {
  id: string
  kind: ChannelKind
  name: string | null
  description: string | null
  is_discoverable: boolean
  customer_reference: string | null
  created_by: string
  created_at: string
  updated_at: string
  archived_at: string | null
  last_seq: number
  last_message_at: string | null
  /** Time of the last message that was visible to applications. */
  last_visible_at: string | null
}
/** `role` is the role of the caller; null if the caller is not a member. */
export type OwnChannelRow = ChannelRow & { role: ChannelRole | null }

export const channelColumns = `c.id, c.kind, c.name, c.description, c.is_discoverable, c.customer_reference, c.created_by,
  c.created_at, c.updated_at, c.archived_at, c.last_seq::float8 as last_seq, c.last_message_at, c.last_visible_at`
const selectChannel = sql<OwnChannelRow, { id: string; personId: string }>(
  `select ${channelColumns}, m.role
   from chat_channel c
   left join chat_member m on m.organization_id = $organization and m.channel_id = c.id and m.person_id = $personId
   where c.organization_id = $organization and c.id = $id`,
)
const lockChannelRow = sql<never, { id: string }>(
  'select from chat_channel c where c.organization_id = $organization and c.id = $id for no key update',
)

/**
 * A channel that the person may see: as a member, in the directory, or as an administrator of the organization if it is
 * a channel or group. Refuses CHANNEL_NOT_FOUND.
 */
export async function channelFor(db: Db, caller: Caller, id: string): Promise<OwnChannelRow> {
  return assertVisible(caller, await db.first(selectChannel, { id, personId: caller.personId }))
}

/** A channel of which the caller is a member. Administrators must join first. Refuses CHANNEL_NOT_FOUND. */
export async function ownChannelFor(
  db: Db,
  caller: Caller,
  id: string,
): Promise<ChannelRow & { role: ChannelRole }> {
  const { role, ...channel } = await channelFor(db, caller, id)
  return role ? { ...channel, role } : fail('CHANNEL_NOT_FOUND')
}

/** Like channelFor; locks the channel, its members and the memberships of the organization until the transaction ends. */
export async function lockChannel(tx: Tx, caller: Caller, id: string): Promise<OwnChannelRow> {
  // separate statements: a single one would read the role of the caller as it was before the wait
  const [, , row] = await tx.inOrder(
    // first, in the lock order of chatMembershipListener: memberships, then channels
    () => lockMembershipsShared(tx),
    () => tx.first(lockChannelRow, { id }),
    () => tx.first(selectChannel, { id, personId: caller.personId }),
  )
  return assertVisible(caller, row)
}

function assertVisible(caller: Caller, row: OwnChannelRow | undefined): OwnChannelRow {
  if (!row) fail('CHANNEL_NOT_FOUND')
  const isOpen = row.is_discoverable && row.archived_at === null
  if (row.role || isOpen || (caller.isAdministrator && isManageable(row))) return row
  fail('CHANNEL_NOT_FOUND')
}

/** Channels and groups can be managed; direct and portal conversations cannot (CHN-1). */
export function isManageable({ kind }: Pick<ChannelRow, 'kind'>): boolean {
  return (manageableKinds as readonly string[]).includes(kind)
}

/**
 * The caller manages the channel: as its owner or administrator or as an administrator of the organization, with the
 * permission. Refuses CHANNEL_NOT_GOVERNED, CHANNEL_ROLE_REQUIRED, PERMISSION_DENIED.
 */
export function assertManagesChannel(
  caller: Caller,
  channel: Pick<OwnChannelRow, 'kind' | 'role'>,
  permission: Permission,
): void {
  if (!isManageable(channel)) fail('CHANNEL_NOT_GOVERNED')
  if (!managesChannel(caller, channel)) fail('CHANNEL_ROLE_REQUIRED')
  if (!caller.permissions.has(permission)) fail('PERMISSION_DENIED')
}

/** True if the caller manages channels with this role (CHN-7), whatever the permissions of the caller. */
export function managesChannel(caller: Caller, { role }: Pick<OwnChannelRow, 'role'>): boolean {
  return caller.isAdministrator || role === 'OWNER' || role === 'ADMIN'
}

/** Refuses CHANNEL_ARCHIVED: archived channels are read-only. */
export function assertNotArchived({ archived_at }: Pick<ChannelRow, 'archived_at'>): void {
  if (archived_at !== null) fail('CHANNEL_ARCHIVED')
}
