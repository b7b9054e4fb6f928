import type { Agent } from '#contract/chat/agents.ts'
import { useMinute } from '../../parts/clock.ts'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './agents.module.css'
import { agentTexts } from './agents.words.ts'
import { nextTimes, parseCron } from './cron.rules.ts'
import { scheduleText, zoneCity } from './cron.words.ts'

type Task = Agent['tasks'][number]
const nextCount = 5

/** The name of a task and its schedule in words. */
export function TaskLine({ task: { name, schedule, timeZone } }: { task: Task }) {
  const text = useWords(agentTexts)
  const language = useLanguage()
  const parsed = parseCron(schedule)
  return (
    <>
      <span className={styles.taskName}>{name}</span>
      {parsed ? (
        <span className={styles.line}>
          {scheduleText(parsed, language)}, {text.zone(zoneCity(timeZone))}
        </span>
      ) : (
        <span className={styles.line}>
          {text.unreadable} <code>{schedule}</code>
        </span>
      )}
    </>
  )
}

/** The tasks of an agent with the next times of each, in the zone of the browser. */
export function TaskList({ tasks, hasNextTimes }: { tasks: readonly Task[]; hasNextTimes: boolean }) {
  const text = useWords(agentTexts)
  if (tasks.length === 0) return <p className={styles.quiet}>{text.noTasks}</p>
  return (
    <ul className={styles.tasks}>
      {tasks.map(task => (
        <li key={task.id} className={styles.task}>
          <TaskLine task={task} />
          {hasNextTimes && <NextTimes task={task} />}
        </li>
      ))}
    </ul>
  )
}

function NextTimes({ task: { name, schedule, timeZone } }: { task: Task }) {
  const text = useWords(agentTexts)
  const now = useMinute()
  const parsed = parseCron(schedule)
  if (!parsed) return null
  const times = nextTimes(parsed, timeZone, now, nextCount)
  const isOtherZone = Intl.DateTimeFormat().resolvedOptions().timeZone !== timeZone
  return (
    <div className={styles.next}>
      <span className={styles.nextTitle}>{text.next}</span>
      {times.length === 0 ? (
        <span className={styles.quiet}>{text.neverAgain}</span>
      ) : (
        <ol className={styles.times} aria-label={`${text.next}: ${name}`}>
          {times.map(time => (
            <li key={time}>
              <Time value={time} form="moment" />
            </li>
          ))}
        </ol>
      )}
      {isOtherZone && times.length > 0 && (
        <span className={styles.line}>{text.nextIn(zoneCity(timeZone))}</span>
      )}
    </div>
  )
}
