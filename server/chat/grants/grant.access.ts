import type { GrantCapability } from '#contract/chat/shapes.ts'
import type { Permission } from '#contract/permissions.ts'
import type { Db, Tx } from '#platform/data/database.ts'
import { sql } from '#platform/data/statement.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { lockMembershipsShared } from '../channel-access/membership-lock.ts'
import { type ChannelRow, channelColumns, isGoverned } from '../channels/channel.access.ts'
import { type Grantor, type GrantRights, grantorMay } from './grant.rules.ts'

/** What an application may do in a channel, with where its grantor stands today. See the view chat_access. */
export type GrantedChannel = ChannelRow &
  GrantRights &
  Grantor & {
    grant_id: string
    granted_by: string
    /** In the channel, and its grantor may still be there: it reads, writes and is told. */
    has_access: boolean
  }

const selectGranted = sql<GrantedChannel, [channelId: string, applicationId: string]>(
  `select ${channelColumns}, x.grant_id, x.granted_by, x.can_organize, x.can_manage_members, x.is_member, x.has_access,
     x.grantor_role, x.grantor_removed, x.grantor_permissions, x.grantor_channel_role
   from chat_access x
   join chat_channel c on c.organization_id = $1 and c.id = x.channel_id
   where x.organization_id = $1 and x.channel_id = $2 and x.application_id = $3`,
)
const lockChannelRow = sql<never, [channelId: string]>(
  'select 1 from chat_channel c where c.organization_id = $1 and c.id = $2 for no key update of c',
)

/** The channel of an active grant of the calling application. Refuses CHANNEL_NOT_FOUND (GRT-6). */
export async function grantedChannelFor(db: Db, caller: Caller, channelId: string): Promise<GrantedChannel> {
  const row = await db.first(selectGranted, channelId, caller.applicationId ?? '')
  return row ?? fail('CHANNEL_NOT_FOUND', {}, 'grant')
}

/** The same, for reading and writing there. Refuses CHANNEL_NOT_FOUND: what is invisible is not there. */
export async function readableChannelFor(db: Db, caller: Caller, channelId: string): Promise<GrantedChannel> {
  const channel = await grantedChannelFor(db, caller, channelId)
  return channel.has_access ? channel : fail('CHANNEL_NOT_FOUND', {}, 'grant')
}

/**
 * As grantedChannelFor; nobody else changes the channel, its members or its grants until the transaction ends. The grant
 * is read after the lock was got: one that was revoked meanwhile does not count.
 */
export async function lockGrantedChannel(tx: Tx, caller: Caller, channelId: string): Promise<GrantedChannel> {
  const [, , channel] = await Promise.all([
    // first, as in chatFollower: who ends somebody's standing then locks channels
    lockMembershipsShared(tx),
    tx.first(lockChannelRow, channelId),
    grantedChannelFor(tx, caller, channelId),
  ])
  return channel
}

/**
 * The last two checks of GRT-4: the grant has the capability, and its grantor may still do this today. Refuses APP_NOT_AUTHORIZED_IN_CHANNEL, also where the channel is neither channel nor group.
 */
export function assertMayUse(
  channel: GrantedChannel,
  capability: GrantCapability,
  permission: Permission,
): void {
  const has = capability === 'Gestionar miembros' ? channel.can_manage_members : channel.can_organize
  if (!has || !isGoverned(channel)) fail('APP_NOT_AUTHORIZED_IN_CHANNEL', {}, 'capability')
  if (!grantorMay(channel, permission)) fail('APP_NOT_AUTHORIZED_IN_CHANNEL', {}, 'grantor')
}
