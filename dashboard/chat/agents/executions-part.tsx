import {
  type Agent,
  type AgentExecution,
  type ExecutionStatus,
  listAgentExecutions,
} from '#contract/chat/agents.ts'
import { textOfError } from '../../data/errors.ts'
import { useList } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import type { IconName } from '../../parts/icon.tsx'
import { LoadMore } from '../../parts/load-more.tsx'
import { costText } from '../../parts/number-text.ts'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { exactDurationText } from '../../parts/time-text.ts'
import { Timeline, type TimelineEvent } from '../../parts/timeline.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import type { Channel } from '../channel.rules.ts'
import { type HeadingLevel, Part } from '../part.tsx'
import { useChannelHref } from '../use-channel-href.ts'
import styles from './agents.module.css'
import { agentTexts } from './agents.words.ts'

/** An execution emits no event for people. */
const pollMs = 60_000

const looks: Readonly<Record<ExecutionStatus, { icon: IconName; kind: NonNullable<TimelineEvent['kind']> }>> =
  {
    SUCCEEDED: { icon: 'done', kind: 'done' },
    FAILED: { icon: 'failed', kind: 'danger' },
    SKIPPED: { icon: 'dashed', kind: 'plain' },
  }

/** The executions of an agent, as its application reported them: results, times and costs. Only people in the channel read them. */
export function ExecutionsPart({
  agent,
  channel,
  level,
}: {
  agent: Agent
  channel: Pick<Channel, 'id' | 'role'>
  level: HeadingLevel
}) {
  const text = useWords(agentTexts)
  return (
    <Part title={text.executions} level={level}>
      {channel.role === null ? (
        <p className={styles.quiet}>{text.joinToRead}</p>
      ) : (
        <Executions agent={agent} />
      )}
    </Part>
  )
}

function Executions({ agent }: { agent: Agent }) {
  const text = useWords(agentTexts)
  const language = useLanguage()
  const list = useList(
    listAgentExecutions,
    { params: { agentId: agent.id }, query: { limit: 20 } },
    { staleMs: 0, pollMs },
  )
  if (list.isLoading) return <Skeleton rows={3} label={text.reading} />
  if (list.error)
    return (
      <Problem
        title={textOfError(list.error, language)}
        action={<Button onPress={list.reload}>{text.again}</Button>}
      />
    )
  if (list.items.length === 0) return <p className={styles.quiet}>{text.noExecutions}</p>
  return (
    <>
      <Timeline
        label={text.executions}
        events={list.items.map(execution => ({
          id: execution.id,
          at: execution.finishedAt,
          ...looks[execution.status],
          content: <Execution execution={execution} agent={agent} />,
        }))}
      />
      <LoadMore {...list} />
    </>
  )
}

function Execution({ execution, agent }: { execution: AgentExecution; agent: Agent }) {
  const text = useWords(agentTexts)
  const language = useLanguage()
  const { status, taskId, startedAt, finishedAt, costMicros, summary, messageId } = execution
  const { channelHref } = useChannelHref()
  const messageHref = messageId === null ? undefined : channelHref(agent.channelId, `?message=${messageId}`)
  const task = agent.tasks.find(({ id }) => id === taskId)
  const durationMs = Date.parse(finishedAt) - Date.parse(startedAt)
  const facts = [
    task?.name,
    ...(status === 'SKIPPED' ? [] : [exactDurationText(durationMs, language)]),
    ...(costMicros > 0 ? [text.cost(costText(costMicros, language))] : []),
  ].filter(Boolean)
  return (
    <>
      <span className={styles.taskName}>{text[status]}</span>
      {facts.length > 0 && <span className={styles.quiet}> · {facts.join(' · ')}</span>}
      {summary && <span className={styles.summary}>{summary}</span>}
      {messageHref && <TextLink href={messageHref}>{text.toMessage}</TextLink>}
    </>
  )
}
