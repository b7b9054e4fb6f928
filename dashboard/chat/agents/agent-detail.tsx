import { Link } from 'react-aria-components'
import type { Agent } from '#contract/chat/agents.ts'
import { useKnownHref } from '../../data/known-href.ts'
import { Facts } from '../../parts/facts.tsx'
import { Person } from '../../parts/person.tsx'
import { Time } from '../../parts/time.tsx'
import { useWords } from '../../words/words.ts'
import { type Channel, channelName } from '../channel.rules.ts'
import { type HeadingLevel, Part } from '../part.tsx'
import { useChannelHref } from '../use-channel-href.ts'
import { AgentNotice } from './agent-notice.tsx'
import { AgentStatus } from './agent-status.tsx'
import styles from './agents.module.css'
import { agentTexts } from './agents.words.ts'
import { BudgetPart } from './budget-part.tsx'
import { ExecutionsPart } from './executions-part.tsx'
import { TaskList } from './task-list.tsx'

/** An agent: what it is for, when it acts, what it costs and what it did. */
export function AgentDetail({
  agent,
  channel,
  level,
  mayDecide,
  onChangeBudget,
}: {
  agent: Agent
  channel: Channel
  level: HeadingLevel
  mayDecide: boolean
  onChangeBudget: () => void
}) {
  const text = useWords(agentTexts)
  const { channelHref, peopleHref } = useChannelHref()
  const applicationsHref = useKnownHref()('applications', `?open=${agent.application.id}`)
  const { status, application } = agent
  const isPending = status === 'PENDING_APPROVAL'
  const isOpen = isPending || status === 'ACTIVE' || status === 'PAUSED'
  const hasWorked = agent.decidedAt !== null && status !== 'REJECTED'
  const tasks = (
    <Part title={text.taskPart} level={level}>
      <TaskList tasks={agent.tasks} hasNextTimes={isOpen} />
    </Part>
  )
  return (
    <div>
      <div className={styles.head}>
        <AgentNotice agent={agent} mayDecide={mayDecide} onChangeBudget={onChangeBudget} />
        <p className={styles.purpose}>{agent.purpose}</p>
        <Facts
          facts={[
            { term: text.status, value: <AgentStatus agent={agent} /> },
            { term: text.description, value: agent.description },
            {
              term: text.application,
              value: applicationsHref ? (
                <Link href={applicationsHref} className={styles.link ?? ''}>
                  {application.name}
                </Link>
              ) : (
                <Person name={application.name} kind="application" />
              ),
            },
            {
              term: text.channel,
              value: (
                <Link
                  href={
                    (channel.role !== null && channelHref(channel.id)) || peopleHref(channel.id, 'agents')
                  }
                  className={styles.link ?? ''}
                >
                  {channelName(channel)}
                </Link>
              ),
            },
            { term: text.proposed, value: <Time value={agent.proposedAt} form="moment" /> },
            {
              term: text.decided,
              value: agent.decidedAt && status !== 'WITHDRAWN' && (
                <>
                  <Time value={agent.decidedAt} form="moment" />
                  {agent.decidedBy && `, ${agent.decidedBy.displayName}`}
                </>
              ),
            },
          ]}
        />
      </div>
      {isPending && tasks}
      {isOpen && <BudgetPart application={application} level={level} onChange={onChangeBudget} />}
      {hasWorked && <ExecutionsPart agent={agent} channel={channel} level={level} />}
      {!isPending && tasks}
    </div>
  )
}
