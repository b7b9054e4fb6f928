import { emit } from '#platform/events/emit.ts'
import type { MembershipListener } from '#platform/events/membership-listener.ts'
import { announceChanged } from '../agents/agent.events.ts'
import { takeStanding } from './standing.access.ts'
import { announceTurned } from './standing.events.ts'
import { endGrantsOf, leaveChannels, turnedOf, withdrawAgentsOf } from './standing.sql.ts'

/** Who leaves the organization leaves its channels, and applications go with those on whose behalf they are there. */
export const chatFollower: Pick<MembershipListener, 'standingChanged' | 'applicationDeleted'> = {
  async standingChanged(tx, actor, personId) {
    const [, left, turned] = await Promise.all([
      takeStanding(tx),
      personId === null ? [] : leaveChannels(tx, personId),
      turnedOf(tx, personId),
    ])
    for (const channelId of left) emit(tx, actor, 'chat.member.removed', { channelId, personId: personId! })
    await announceTurned(tx, actor, turned)
  },
  async applicationDeleted(tx, actor, applicationId) {
    const [, turned, agents] = await Promise.all([
      takeStanding(tx),
      endGrantsOf(tx, applicationId),
      withdrawAgentsOf(tx, applicationId),
    ])
    await announceTurned(tx, actor, turned)
    for (const agent of agents) announceChanged(tx, actor, agent)
  },
}
