import type { Agent } from '#contract/chat/agents.ts'
import { useMinute } from '../../parts/clock.ts'
import type { IconName } from '../../parts/icon.tsx'
import { Status, type StatusKind } from '../../parts/status.tsx'
import { useWords } from '../../words/words.ts'
import { type AgentState, stateOf, timeLeft } from './agent.rules.ts'
import { agentTexts } from './agents.words.ts'

const looks: Readonly<Record<AgentState, { icon: IconName; kind?: StatusKind }>> = {
  PENDING_APPROVAL: { icon: 'clock', kind: 'warn' },
  ACTIVE: { icon: 'done', kind: 'done' },
  PAUSED: { icon: 'pause' },
  PAUSED_BUDGET: { icon: 'blocked', kind: 'warn' },
  REJECTED: { icon: 'close', kind: 'quiet' },
  EXPIRED: { icon: 'dashed', kind: 'quiet' },
  WITHDRAWN: { icon: 'dashed', kind: 'quiet' },
}

/** The state of an agent: an icon and words. */
export function AgentStatus({ agent }: { agent: Pick<Agent, 'status' | 'statusReason'> }) {
  const text = useWords(agentTexts)
  const state = stateOf(agent)
  return <Status {...looks[state]}>{text[state]}</Status>
}

/** How long a proposal still waits (AGT-3). */
export function ProposalClock({ expiresAt }: { expiresAt: string }) {
  const text = useWords(agentTexts)
  const { days, hours } = timeLeft(expiresAt, useMinute())
  return <time dateTime={expiresAt}>{text.expiresIn(days, hours)}</time>
}
