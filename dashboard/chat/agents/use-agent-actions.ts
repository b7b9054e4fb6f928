import {
  type Agent,
  approveAgent,
  listAgentExecutions,
  listAgents,
  listChannelAgents,
  pauseAgent,
  readAgent,
  readAgentBudget,
  resumeAgent,
  setAgentBudget,
} from '#contract/chat/agents.ts'
import { needErrorTexts, textOfError } from '../../data/errors.ts'
import { useMay } from '../../data/organization.tsx'
import { useAction } from '../../data/read.ts'
import type { MenuEntry } from '../../parts/menu.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { stateOf } from './agent.rules.ts'
import { agentTexts } from './agents.words.ts'

/** The reads that show agents and their spending. */
export const agentReads = [
  listAgents,
  listChannelAgents,
  readAgent,
  readAgentBudget,
  listAgentExecutions,
] as const

/** A dialog about an agent that is open. */
export type AgentDialog = { kind: 'approve' | 'reject' | 'budget'; agent: Agent; channelName: string }

/** An agent with what its actions need. */
export type DecidedAgent = { agent: Agent; channelName: string; mayDecide: boolean }

/** The actions of an agent, for a menu and for keys: approve, reject, pause, resume, change the cap. */
export function useAgentActions(open: (dialog: AgentDialog) => void): (decided: DecidedAgent) => MenuEntry[] {
  const text = useWords(agentTexts)
  const language = useLanguage()
  const may = useMay()
  const pause = useAction(pauseAgent, { refreshes: agentReads })
  const resume = useAction(resumeAgent, { refreshes: agentReads })

  async function attempt(action: () => Promise<unknown>, done: string, undo?: () => void): Promise<void> {
    try {
      await action()
      showToast({ text: done, ...(undo && { action: { label: text.undo, onPress: undo } }) })
    } catch (error) {
      await needErrorTexts(language)
      showToast({ kind: 'failed', text: textOfError(error, language) })
    }
  }
  const setPaused = (agent: Agent, isPaused: boolean): Promise<void> =>
    attempt(
      () => (isPaused ? pause : resume).mutateAsync({ params: { agentId: agent.id } }),
      (isPaused ? text.paused : text.resumed)(agent.name),
      isPaused ? () => void setPaused(agent, false) : undefined,
    )

  return ({ agent, channelName, mayDecide }) => {
    const state = stateOf(agent)
    const opening = (kind: AgentDialog['kind']) => () => open({ kind, agent, channelName })
    const decides = mayDecide && may(approveAgent)
    const isPending = state === 'PENDING_APPROVAL'
    const isPaused = state === 'PAUSED'
    return [
      ...(decides && isPending
        ? [
            {
              id: 'approve',
              label: text.approve,
              icon: 'check' as const,
              shortcut: 'a',
              onAction: opening('approve'),
            },
            {
              id: 'reject',
              label: text.reject,
              icon: 'close' as const,
              shortcut: 'r',
              onAction: opening('reject'),
            },
          ]
        : []),
      ...(decides && state === 'ACTIVE'
        ? [
            {
              id: 'pause',
              label: text.pause,
              icon: 'pause' as const,
              shortcut: 'p',
              onAction: () => void setPaused(agent, true),
            },
          ]
        : []),
      ...(decides && (isPaused || state === 'PAUSED_BUDGET')
        ? [
            {
              id: 'resume',
              label: text.resume,
              icon: 'retry' as const,
              shortcut: 'p',
              isDisabled: !isPaused,
              ...(!isPaused && { hint: text.overCap }),
              onAction: () => void setPaused(agent, false),
            },
          ]
        : []),
      ...(may(setAgentBudget) && (isPending || isPaused || state === 'ACTIVE' || state === 'PAUSED_BUDGET')
        ? [
            {
              id: 'budget',
              label: text.raise,
              icon: 'payments' as const,
              shortcut: 'l',
              onAction: opening('budget'),
            },
          ]
        : []),
    ]
  }
}
