import { type Agent, readAgent } from '#contract/chat/agents.ts'
import { readChannel } from '#contract/chat/channels.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useRead } from '../../data/read.ts'
import { decidesIn } from './agent.rules.ts'

/** An agent with its channel, and whether the caller decides on it. `listed` is shown until the agent is read. */
export function useAgent(agentId: string, listed?: Agent) {
  const { caller } = useOrganization()
  const read = useRead(readAgent, { params: { agentId } })
  const agent = read.data ?? listed
  const channel = useRead(
    readChannel,
    { params: { id: agent?.channelId ?? '' } },
    { enabled: agent !== undefined },
  )
  return {
    agent,
    channel: channel.data,
    error: read.error ?? channel.error,
    mayDecide: channel.data !== undefined && decidesIn(caller, channel.data),
  }
}
