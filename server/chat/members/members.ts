import {
  addChannelMember,
  changeChannelMember,
  listChannelMembers,
  removeChannelMember,
} from '#contract/chat/members.ts'
import type { Permission } from '#contract/permissions.ts'
import type { Caller } from '#platform/caller.ts'
import type { Tx } from '#platform/db/database.ts'
import { emit } from '#platform/emit.ts'
import { fail } from '#platform/fail.ts'
import { changes, reads } from '#platform/serve.ts'
import { assertGoverns, assertNotArchived, channelFor, lockChannel } from '../channels/access.ts'
import { assertDecidesOn, standing } from './rules.ts'
import { showMember } from './show.ts'
import {
  hasRoom,
  insertMember,
  listMembers,
  type MemberRow,
  memberOf,
  othersIn,
  personOf,
  removeMember,
  setRole,
} from './store.ts'

/** The people in a channel, for whoever may know of it. */
export const list = reads(listChannelMembers, async ({ db, caller, params: { id }, query }) => {
  const { limit = 20, offset = 0 } = query
  const [{ rows, total }] = await Promise.all([
    listMembers(db, id, limit, offset),
    channelFor(db, caller, id),
  ])
  return { items: rows.map(showMember), total, limit, offset }
})

export const add = changes(addChannelMember, async ({ tx, caller, params: { id }, body, audits }) => {
  const { personId, role = 'MEMBER' } = body
  const actor = await governs(tx, caller, id, 'CHAT_MEMBERS_ADD')
  assertDecidesOn(actor, role)
  const [person, isThereRoom] = await Promise.all([personOf(tx, personId), hasRoom(tx, id, [personId])])
  if (!person) fail('MEMBER_NOT_FOUND')
  if (!(await insertMember(tx, id, personId, role))) fail('CHANNEL_MEMBER_EXISTS')
  if (!isThereRoom) fail('TOO_MANY_IN_CHANNEL')
  emit(tx, caller, 'chat.member.added', { channelId: id, personId })
  audits(id, [`members.${personId}`])
  return showMember({ ...person, role })
})

export const change = changes(
  changeChannelMember,
  async ({ tx, caller, params: { id, personId }, body: { role }, audits }) => {
    const actor = await governs(tx, caller, id, 'CHAT_MEMBERS_ADD')
    const member = (await memberOf(tx, id, personId)) ?? fail('CHANNEL_MEMBER_NOT_FOUND')
    assertDecidesOn(actor, member.role)
    assertDecidesOn(actor, role)
    if (role === member.role) {
      audits(id)
      return showMember(member)
    }
    await assertOwnerStays(tx, id, member)
    await setRole(tx, id, personId, role)
    emit(tx, caller, 'chat.member.changed', { channelId: id, personId })
    audits(id, [`members.${personId}`])
    return showMember({ ...member, role })
  },
)

export const remove = changes(
  removeChannelMember,
  async ({ tx, caller, params: { id, personId }, audits }) => {
    const actor = await governs(tx, caller, id, 'CHAT_MEMBERS_REMOVE')
    const member = (await memberOf(tx, id, personId)) ?? fail('CHANNEL_MEMBER_NOT_FOUND')
    assertDecidesOn(actor, member.role)
    await assertOwnerStays(tx, id, member)
    await removeMember(tx, id, personId)
    emit(tx, caller, 'chat.member.removed', { channelId: id, personId })
    audits(id, [`members.${personId}`])
  },
)

/** Locks a channel whose members the caller may change, and tells with which standing. */
async function governs(tx: Tx, caller: Caller, id: string, permission: Permission) {
  const channel = await lockChannel(tx, caller, id)
  assertGoverns(caller, channel, permission)
  assertNotArchived(channel)
  return standing(caller, channel)
}

/** Refuses CHANNEL_NEEDS_OWNER when no other owner is there; one who left the organization is none any more. */
async function assertOwnerStays(tx: Tx, channelId: string, member: MemberRow & { is_former: boolean }) {
  if (member.role !== 'OWNER' || member.is_former) return
  if (!(await othersIn(tx, channelId, member.id)).owner) fail('CHANNEL_NEEDS_OWNER')
}
