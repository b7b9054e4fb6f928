import { type ChannelKind, type ChannelRole, governedKinds } from '#contract/chat/shapes.ts'
import type { Permission } from '#contract/permissions.ts'
import type { Db, Tx } from '#platform/data/database.ts'
import { sql } from '#platform/data/statement.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { lockMembershipsShared } from '../channel-access/membership-lock.ts'

/** A channel as the operations hold it; `role` is the caller's own in it. */
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
  /** Of the last message that applications could see. */
  last_visible_at: string | null
}
export type OwnChannelRow = ChannelRow & { role: ChannelRole | null }

export const channelColumns = `c.id, c.kind, c.name, c.description, c.is_discoverable, c.customer_reference, c.created_by,
  c.created_at, c.updated_at, c.archived_at, c.last_seq::float8 as last_seq, c.last_message_at, c.last_visible_at`
const selectChannel = sql<OwnChannelRow, [id: string, personId: string]>(
  `select ${channelColumns}, m.role
   from chat_channel c
   left join chat_member m on m.organization_id = $1 and m.channel_id = c.id and m.person_id = $3
   where c.organization_id = $1 and c.id = $2`,
)
const lockChannelRow = sql<never, [id: string]>(
  'select from chat_channel c where c.organization_id = $1 and c.id = $2 for no key update',
)

/**
 * A channel for a person who may know of it: a member, anybody when it stands in the directory, or an administrator of the
 * organization when it is a channel or group. Refuses CHANNEL_NOT_FOUND.
 */
export async function channelFor(db: Db, caller: Caller, id: string): Promise<OwnChannelRow> {
  return assertVisible(caller, await db.first(selectChannel, id, caller.personId))
}

/** A channel for a member of it: who reads and writes there. Refuses CHANNEL_NOT_FOUND; administrators join first. */
export async function ownChannelFor(
  db: Db,
  caller: Caller,
  id: string,
): Promise<ChannelRow & { role: ChannelRole }> {
  const { role, ...channel } = await channelFor(db, caller, id)
  return role ? { ...channel, role } : fail('CHANNEL_NOT_FOUND')
}

/** As channelFor; nobody else changes the channel or its members, and nobody loses their standing, until the transaction ends. */
export async function lockChannel(tx: Tx, caller: Caller, id: string): Promise<OwnChannelRow> {
  // one statement would show the caller's role as it was before the wait
  const [, , row] = await Promise.all([
    // first, as in chatFollower: who ends somebody's standing then locks channels
    lockMembershipsShared(tx),
    tx.first(lockChannelRow, id),
    tx.first(selectChannel, id, caller.personId),
  ])
  return assertVisible(caller, row)
}

function assertVisible(caller: Caller, row: OwnChannelRow | undefined): OwnChannelRow {
  if (!row) fail('CHANNEL_NOT_FOUND')
  const isOpen = row.is_discoverable && row.archived_at === null
  if (row.role || isOpen || (caller.isAdministrator && isGoverned(row))) return row
  fail('CHANNEL_NOT_FOUND')
}

/** Channels and groups can be governed; direct and customer-portal conversations never (CHN-1). */
export function isGoverned({ kind }: Pick<ChannelRow, 'kind'>): boolean {
  return (governedKinds as readonly string[]).includes(kind)
}

/**
 * Refuses unless the caller governs the channel: its owner or administrator, or an administrator of the organization, with
 * the permission. Errors: CHANNEL_NOT_GOVERNED, CHANNEL_ROLE_REQUIRED, PERMISSION_DENIED.
 */
export function assertGoverns(
  caller: Caller,
  channel: Pick<OwnChannelRow, 'kind' | 'role'>,
  permission: Permission,
): void {
  if (!isGoverned(channel)) fail('CHANNEL_NOT_GOVERNED')
  if (!caller.isAdministrator && channel.role !== 'OWNER' && channel.role !== 'ADMIN')
    fail('CHANNEL_ROLE_REQUIRED')
  if (!caller.permissions.has(permission)) fail('PERMISSION_DENIED')
}

/** Refuses CHANNEL_ARCHIVED: what is archived can be read and nothing else. */
export function assertNotArchived({ archived_at }: Pick<ChannelRow, 'archived_at'>): void {
  if (archived_at !== null) fail('CHANNEL_ARCHIVED')
}
