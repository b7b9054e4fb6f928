import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { textOfError } from '../../data/errors.ts'
import { Page } from '../../parts/page.tsx'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { channelName } from '../channel.rules.ts'
import { AgentButtons, AgentMenu } from './agent-actions.tsx'
import { AgentDetail } from './agent-detail.tsx'
import { AgentDialogs } from './agent-dialogs.tsx'
import { agentTexts } from './agents.words.ts'
import { useAgent } from './use-agent.ts'
import { type AgentDialog, useAgentActions } from './use-agent-actions.ts'

/** An agent as a page. */
export function AgentPage() {
  const text = useWords(agentTexts)
  const language = useLanguage()
  const { agentId } = useParams({ from: '/o/$organization/agents/$agentId' })
  const { agent, channel, error, mayDecide } = useAgent(agentId)
  const [dialog, setDialog] = useState<AgentDialog>()
  const actionsOf = useAgentActions(setDialog)
  const name = channel ? channelName(channel) : ''
  const entries = agent && channel ? actionsOf({ agent, channelName: name, mayDecide }) : []
  return (
    <Page
      title={agent?.name ?? text.agent}
      actions={
        <>
          <AgentMenu entries={entries} />
          <AgentButtons entries={entries} />
        </>
      }
    >
      {agent && channel ? (
        <AgentDetail
          agent={agent}
          channel={channel}
          level={2}
          mayDecide={mayDecide}
          onChangeBudget={() => setDialog({ kind: 'budget', agent, channelName: name })}
        />
      ) : error ? (
        <Problem title={textOfError(error, language)} />
      ) : (
        <Skeleton rows={6} label={text.reading} />
      )}
      <AgentDialogs dialog={dialog} onClose={() => setDialog(undefined)} />
    </Page>
  )
}
