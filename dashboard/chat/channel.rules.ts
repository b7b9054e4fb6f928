import type { readChannel } from '#contract/chat/channels.ts'
import { type ChannelRole, manageableKinds } from '#contract/chat/shapes.ts'
import type { Reply } from '#contract/route.ts'
import type { Caller } from '../data/may.ts'

/** A channel as a person reads it. */
export type Channel = Reply<typeof readChannel>
type Administrator = Pick<Caller, 'isAdministrator'>

/** Channels and groups can be managed; direct and portal conversations cannot (CHN-1). */
export function isManageable({ type }: Pick<Channel, 'type'>): boolean {
  return manageableKinds.some(kind => kind === type)
}

/** The role of the caller; an administrator of the organization has the rights of an owner (CHN-7). */
export function roleIn(
  { isAdministrator }: Administrator,
  { role }: Pick<Channel, 'role'>,
): ChannelRole | null {
  return isAdministrator ? 'OWNER' : role
}

/** Whether the caller manages the channel, whatever their permissions. */
export function managesChannel(caller: Administrator, channel: Pick<Channel, 'type' | 'role'>): boolean {
  const role = roleIn(caller, channel)
  return isManageable(channel) && (role === 'OWNER' || role === 'ADMIN')
}

/** Its name; a direct conversation has those of the other people in it, or `nobody`. */
export function channelName({ name, people }: Pick<Channel, 'name' | 'people'>, nobody = ''): string {
  return name ?? (people?.map(({ displayName }) => displayName).join(', ') || nobody)
}
