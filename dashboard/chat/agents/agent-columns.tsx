import type { ListedAgent } from '#contract/chat/agents.ts'
import type { Column } from '../../parts/grid.tsx'
import { noValue } from '../../parts/grid-column.ts'
import { costText } from '../../parts/number-text.ts'
import { Person } from '../../parts/person.tsx'
import type { Language } from '../../words/words.ts'
import { AgentStatus, ProposalClock } from './agent-status.tsx'
import styles from './agents.module.css'
import { parseCron } from './cron.rules.ts'
import { scheduleText } from './cron.words.ts'

type Texts = Readonly<
  Record<'name' | 'channel' | 'application' | 'status' | 'tasks' | 'spent' | 'spentUnit' | 'deadline', string>
>

/** The columns of the list; `isNarrow` is the list beside the open sheet. */
export function agentColumns(text: Texts, language: Language, isNarrow: boolean): Column<ListedAgent>[] {
  const columns: Column<ListedAgent>[] = [
    { id: 'name', title: text.name, width: 'minmax(140px, 1.6fr)', cell: ({ name }) => name },
    {
      id: 'status',
      title: text.status,
      width: '190px',
      phone: 'below',
      cell: agent => <AgentStatus agent={agent} />,
    },
    {
      id: 'channel',
      title: text.channel,
      width: 'minmax(100px, 1fr)',
      phone: 'end',
      cell: ({ channel }) => channel.name ?? noValue,
    },
  ]
  if (isNarrow) return columns
  return [
    ...columns,
    {
      id: 'application',
      title: text.application,
      width: 'minmax(120px, 1fr)',
      cell: ({ application }) => <Person name={application.name} kind="application" />,
    },
    {
      id: 'tasks',
      title: text.tasks,
      width: 'minmax(130px, 1.6fr)',
      cell: ({ tasks }) => tasksText(tasks, language),
    },
    {
      id: 'spent',
      title: text.spent,
      width: '140px',
      align: 'end',
      cell: ({ budget }) =>
        budget ? <span title={text.spentUnit}>{spentText(budget, language)}</span> : noValue,
    },
    {
      id: 'expires',
      title: text.deadline,
      width: '140px',
      align: 'end',
      phone: 'belowEnd',
      cell: ({ status, expiresAt }) =>
        status === 'PENDING_APPROVAL' && (
          <span className={styles.quiet}>
            <ProposalClock expiresAt={expiresAt} />
          </span>
        ),
    },
  ]
}

/** The schedule of the first task in words, and how many more there are. */
function tasksText(tasks: ListedAgent['tasks'], language: Language): string {
  const [first, ...others] = tasks
  if (!first) return '–'
  const parsed = parseCron(first.schedule)
  const words = parsed ? scheduleText(parsed, language) : first.schedule
  return others.length > 0 ? `${words} +${others.length}` : words
}

function spentText(
  { capMicros, spentMicros }: NonNullable<ListedAgent['budget']>,
  language: Language,
): string {
  const spent = costText(spentMicros, language)
  return capMicros === null ? spent : `${spent} / ${costText(capMicros, language)}`
}
