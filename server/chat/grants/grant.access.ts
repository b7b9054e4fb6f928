import type { GrantCapability } from '#contract/chat/shapes.ts'
import type { Permission } from '#contract/permissions.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { lockMembershipsShared } from '../channel-access/membership-lock.sql.ts'
import { type ChannelRow, channelColumns, isManageable } from '../channels/channel.access.ts'
import { type Grantor, type GrantRights, grantorMay } from './grant.rules.ts'

/** The rights of an application in a channel, with the current role of its grantor. See the view chat_access. */
export type GrantedChannel = ChannelRow &
  GrantRights &
  Grantor & {
    grant_id: string
    granted_by: string
    /** The application is in the channel, and so is its grantor: it may read, write and receive events. */
    has_access: boolean
  }

const selectGranted = sql<GrantedChannel, { channelId: string; applicationId: string }>(
  `select ${channelColumns}, x.grant_id, x.granted_by, x.can_organize, x.can_manage_members, x.is_member, x.has_access,
     x.grantor_role, x.grantor_removed, x.grantor_permissions, x.grantor_channel_role
   from chat_access x
   join chat_channel c on c.organization_id = $organization and c.id = x.channel_id
   where x.organization_id = $organization and x.channel_id = $channelId and x.application_id = $applicationId`,
)
const lockChannelRow = sql<never, { channelId: string }>(
  'select 1 from chat_channel c where c.organization_id = $organization and c.id = $channelId for no key update of c',
)

/** A channel in which the calling application has an active grant. Refuses CHANNEL_NOT_FOUND (GRT-6). */
export async function grantedChannelFor(db: Db, caller: Caller, channelId: string): Promise<GrantedChannel> {
  const row = await db.first(selectGranted, { channelId, applicationId: caller.applicationId ?? '' })
  return row ?? fail('CHANNEL_NOT_FOUND', {}, 'grant')
}

/** A channel in which the calling application may read and write. Refuses CHANNEL_NOT_FOUND. */
export async function readableChannelFor(db: Db, caller: Caller, channelId: string): Promise<GrantedChannel> {
  const channel = await grantedChannelFor(db, caller, channelId)
  return channel.has_access ? channel : fail('CHANNEL_NOT_FOUND', {}, 'grant')
}

/**
 * Like grantedChannelFor; locks the channel with its members and grants. The grant is read behind the lock, so that a
 * concurrent revocation counts.
 */
export async function lockGrantedChannel(tx: Tx, caller: Caller, channelId: string): Promise<GrantedChannel> {
  const [, , channel] = await tx.inOrder(
    // first, in the lock order of chatMembershipListener: memberships, then channels
    () => lockMembershipsShared(tx),
    () => tx.first(lockChannelRow, { channelId }),
    () => grantedChannelFor(tx, caller, channelId),
  )
  return channel
}

/**
 * The last two checks of GRT-4: the grant has the capability, and its grantor still has the permission. Refuses
 * APP_NOT_AUTHORIZED_IN_CHANNEL, also for direct and portal conversations.
 */
export function assertMayUse(
  channel: GrantedChannel,
  capability: GrantCapability,
  permission: Permission,
): void {
  const has = capability === 'Gestionar miembros' ? channel.can_manage_members : channel.can_organize
  if (!has || !isManageable(channel)) fail('APP_NOT_AUTHORIZED_IN_CHANNEL', {}, 'capability')
  if (!grantorMay(channel, permission)) fail('APP_NOT_AUTHORIZED_IN_CHANNEL', {}, 'grantor')
}
