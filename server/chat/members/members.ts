import {
  addChannelMember,
  changeChannelMember,
  listChannelMembers,
  removeChannelMember,
} from '#contract/chat/members.ts'
import type { ChannelRole } from '#contract/chat/shapes.ts'
import type { Permission } from '#contract/permissions.ts'
import type { Tx } from '#platform/data/db.ts'
import { type EventActor, emit } from '#platform/events/emit.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { command, query } from '#platform/http/operation.ts'
import { pageOf } from '#platform/http/pagination.ts'
import {
  assertManagesChannel,
  assertNotArchived,
  channelFor,
  lockChannel,
} from '../channels/channel.access.ts'
import { emitMembershipChanged } from './member.events.ts'
import { showMember } from './member.json.ts'
import { assertMayAssignRole, effectiveRole } from './member.rules.ts'
import {
  type ChannelMemberRow,
  hasCapacity,
  insertMember,
  listMembers,
  memberOf,
  otherMembersOf,
  personOf,
  removeMember,
  setRole,
} from './member.sql.ts'

export const list = query(listChannelMembers, async ({ db, caller, params: { id }, query }) => {
  const { limit, offset } = pageOf(query)
  const [{ rows, total }] = await Promise.all([
    listMembers(db, id, limit, offset),
    channelFor(db, caller, id),
  ])
  return { items: rows.map(showMember), total, limit, offset }
})

export const add = command(addChannelMember, async ({ tx, caller, params: { id }, body, audit }) => {
  const { personId, role = 'MEMBER' } = body
  const actorRole = await lockManagedChannel(tx, caller, id, 'CHAT_MEMBERS_ADD')
  assertMayAssignRole(actorRole, role)
  const member = await addMember(tx, caller, id, personId, role)
  audit(id, [`members.${personId}`])
  return showMember(member)
})

export const change = command(
  changeChannelMember,
  async ({ tx, caller, params: { id, personId }, body: { role }, audit }) => {
    const actorRole = await lockManagedChannel(tx, caller, id, 'CHAT_MEMBERS_ADD')
    const member = (await memberOf(tx, id, personId)) ?? fail('CHANNEL_MEMBER_NOT_FOUND')
    assertMayAssignRole(actorRole, member.role)
    assertMayAssignRole(actorRole, role)
    if (role === member.role) {
      audit(id)
      return showMember(member)
    }
    await assertOwnerStays(tx, id, member)
    await setRole(tx, id, personId, role)
    emit(tx, caller, 'chat.member.changed', { channelId: id, personId })
    audit(id, [`members.${personId}`])
    return showMember({ ...member, role })
  },
)

export const remove = command(
  removeChannelMember,
  async ({ tx, caller, params: { id, personId }, audit }) => {
    const actorRole = await lockManagedChannel(tx, caller, id, 'CHAT_MEMBERS_REMOVE')
    const member = (await memberOf(tx, id, personId)) ?? fail('CHANNEL_MEMBER_NOT_FOUND')
    assertMayAssignRole(actorRole, member.role)
    await assertOwnerStays(tx, id, member)
    await removeMember(tx, id, personId)
    await emitMembershipChanged(tx, caller, 'chat.member.removed', id, personId)
    audit(id, [`members.${personId}`])
  },
)

/**
 * Adds a person of the organization to a locked channel and emits the events. Refuses MEMBER_NOT_FOUND,
 * CHANNEL_MEMBER_EXISTS, TOO_MANY_IN_CHANNEL.
 */
export async function addMember(
  tx: Tx,
  actorRole: EventActor,
  channelId: string,
  personId: string,
  role: ChannelRole,
): Promise<ChannelMemberRow> {
  const [isWithinLimits, person] = await Promise.all([
    hasCapacity(tx, channelId, [personId]),
    personOf(tx, personId),
  ])
  if (!person) fail('MEMBER_NOT_FOUND')
  if (!(await insertMember(tx, channelId, personId, role))) fail('CHANNEL_MEMBER_EXISTS')
  if (!isWithinLimits) fail('TOO_MANY_IN_CHANNEL')
  await emitMembershipChanged(tx, actorRole, 'chat.member.added', channelId, personId)
  return { ...person, role }
}

/** Locks a channel whose members the caller may change. Returns the effective role of the caller. */
async function lockManagedChannel(tx: Tx, caller: Caller, id: string, permission: Permission) {
  const channel = await lockChannel(tx, caller, id)
  assertManagesChannel(caller, channel, permission)
  assertNotArchived(channel)
  return effectiveRole(caller, channel)
}

/** Refuses CHANNEL_NEEDS_OWNER if the member is the only owner. */
async function assertOwnerStays(tx: Tx, channelId: string, member: ChannelMemberRow) {
  if (member.role !== 'OWNER') return
  if (!(await otherMembersOf(tx, channelId, member.id)).hasOwner) fail('CHANNEL_NEEDS_OWNER')
}
