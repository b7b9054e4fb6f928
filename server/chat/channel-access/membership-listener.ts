import { emit } from '#platform/events/emit.ts'
import type { MembershipListener } from '#platform/events/membership-listener.ts'
import { emitAgentChanged } from '../agents/agent.events.ts'
import { emitAccessChanges } from './channel-access.events.ts'
import { endGrantsOf, leaveChannels, syncAccessOfGrantor, withdrawAgentsOf } from './channel-access.sql.ts'
import { lockMemberships } from './membership-lock.sql.ts'

/** A person who leaves the organization leaves its channels; applications lose access with their grantor. */
export const chatMembershipListener: Pick<MembershipListener, 'membershipChanged' | 'applicationDeleted'> = {
  async membershipChanged(tx, actor, personId) {
    const [, leftChannelIds, accessChanges] = await tx.inOrder(
      () => lockMemberships(tx),
      () => (personId === null ? [] : leaveChannels(tx, personId)),
      () => syncAccessOfGrantor(tx, personId),
    )
    if (personId !== null)
      for (const channelId of leftChannelIds) emit(tx, actor, 'chat.member.removed', { channelId, personId })
    await emitAccessChanges(tx, actor, accessChanges)
  },
  async applicationDeleted(tx, actor, applicationId) {
    const [, accessChanges, agents] = await tx.inOrder(
      () => lockMemberships(tx),
      () => endGrantsOf(tx, applicationId),
      () => withdrawAgentsOf(tx, applicationId),
    )
    await emitAccessChanges(tx, actor, accessChanges)
    for (const agent of agents) emitAgentChanged(tx, actor, agent)
  },
}
