import { useState } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import { type Agent, listChannelAgents } from '#contract/chat/agents.ts'
import { textOfError } from '../../data/errors.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useList } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { LoadMore } from '../../parts/load-more.tsx'
import { Empty, Problem, Skeleton } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { type Channel, channelName } from '../channel.rules.ts'
import type { HeadingLevel } from '../part.tsx'
import { decidesIn, inOrderOfState, stateOf } from './agent.rules.ts'
import { AgentButtons, AgentMenu } from './agent-actions.tsx'
import { AgentDetail } from './agent-detail.tsx'
import { AgentDialogs } from './agent-dialogs.tsx'
import { AgentStatus, ProposalClock } from './agent-status.tsx'
import styles from './agents.module.css'
import { agentTexts } from './agents.words.ts'
import { type AgentDialog, useAgentActions } from './use-agent-actions.ts'

/** The agents of a channel, those that wait for approval first; one of them opens in the place of the list. */
export function ChannelAgents({ channel, level }: { channel: Channel; level: HeadingLevel }) {
  const text = useWords(agentTexts)
  const language = useLanguage()
  const { caller } = useOrganization()
  const [openId, setOpenId] = useState<string>()
  const [areEndedShown, setEndedShown] = useState(false)
  const [dialog, setDialog] = useState<AgentDialog>()
  const actionsOf = useAgentActions(setDialog)
  const list = useList(listChannelAgents, { params: { id: channel.id } })
  if (list.isLoading) return <Skeleton rows={4} label={text.reading} />
  if (list.error)
    return (
      <Problem
        title={textOfError(list.error, language)}
        action={<Button onPress={list.reload}>{text.again}</Button>}
      />
    )
  const { open: openAgents, ended } = inOrderOfState(list.items)
  const agent = list.items.find(({ id }) => id === openId)
  const mayDecide = decidesIn(caller, channel)
  const dialogs = <AgentDialogs dialog={dialog} onClose={() => setDialog(undefined)} />
  if (agent) {
    const decided = { agent, channelName: channelName(channel), mayDecide }
    const entries = actionsOf(decided)
    return (
      <div className={styles.content}>
        <div className={styles.bar}>
          <Button kind="quiet" size="small" icon="chevronLeft" autoFocus onPress={() => setOpenId(undefined)}>
            {text.back}
          </Button>
          <AgentMenu entries={entries} />
        </div>
        <AgentTitle agent={agent} level={level} />
        <AgentButtons entries={entries} />
        <AgentDetail
          agent={agent}
          channel={channel}
          level={level}
          mayDecide={mayDecide}
          onChangeBudget={() => setDialog({ kind: 'budget', ...decided })}
        />
        {dialogs}
      </div>
    )
  }
  return (
    <div className={styles.content}>
      {list.items.length === 0 && <Empty title={text.noneInChannel}>{text.emptyAbout}</Empty>}
      {openAgents.length > 0 && <AgentRows agents={openAgents} onOpen={setOpenId} />}
      {ended.length > 0 &&
        (areEndedShown ? (
          <AgentRows agents={ended} onOpen={setOpenId} />
        ) : (
          <div>
            <Button kind="quiet" icon="clock" onPress={() => setEndedShown(true)}>
              {text.showEnded(ended.length)}
            </Button>
          </div>
        ))}
      <LoadMore {...list} />
      {dialogs}
    </div>
  )
}

function AgentTitle({ agent, level }: { agent: Agent; level: HeadingLevel }) {
  const Heading = level === 2 ? 'h2' : 'h3'
  return <Heading className={styles.title}>{agent.name}</Heading>
}

function AgentRows({ agents, onOpen }: { agents: readonly Agent[]; onOpen: (id: string) => void }) {
  const text = useWords(agentTexts)
  return (
    <ul aria-label={text.title} className={styles.agents}>
      {agents.map(agent => (
        <li key={agent.id} className={styles.agent}>
          <AriaButton className={styles.open ?? ''} onPress={() => onOpen(agent.id)}>
            <span className={styles.who}>
              <span className={styles.name}>{agent.name}</span>
              <span className={styles.about}>
                {agent.application.name}
                {stateOf(agent) === 'PENDING_APPROVAL' && (
                  <>
                    {' · '}
                    <ProposalClock expiresAt={agent.expiresAt} />
                  </>
                )}
              </span>
            </span>
            <AgentStatus agent={agent} />
          </AriaButton>
        </li>
      ))}
    </ul>
  )
}
