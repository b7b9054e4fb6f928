import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'
import { Time } from './time.tsx'
import styles from './timeline.module.css'

export type TimelineEvent = {
  id: string
  icon: IconName
  kind?: 'plain' | 'done' | 'danger' | 'warn'
  at: string | number
  content: ReactNode
}

/** The history of an object, the newest event first. */
export function Timeline({ label, events }: { label: string; events: readonly TimelineEvent[] }) {
  return (
    <ol aria-label={label} className={styles.timeline}>
      {events.map(({ id, icon, kind = 'plain', at, content }) => (
        <li key={id} className={styles.event}>
          <Icon name={icon} className={`${styles.icon} ${styles[kind] ?? ''}`} />
          <div className={styles.content}>{content}</div>
          <span className={styles.time}>
            <Time value={at} />
          </span>
        </li>
      ))}
    </ol>
  )
}

export type Step = {
  id: string
  title: string
  state: 'done' | 'next' | 'later'
  /** One or two lines below the title, such as the time and the person. */
  about?: ReactNode
}

/** The states of an object from first to last: which are done, which is next. */
export function Steps({
  label,
  steps,
  isVertical = false,
}: {
  label: string
  steps: readonly Step[]
  /** One below the other, for a narrow column. */
  isVertical?: boolean
}) {
  const icons = { done: 'done', next: 'circle', later: 'dashed' } as const
  return (
    <ol aria-label={label} className={`${styles.steps} ${isVertical ? styles.vertical : ''}`}>
      {steps.map(({ id, title, state, about }) => (
        <li
          key={id}
          className={`${styles.step} ${styles[`${state}Step`] ?? ''}`}
          {...(state === 'next' && { 'aria-current': 'step' as const })}
        >
          <Icon name={icons[state]} className={styles.stepIcon} />
          <span className={styles.stepTitle}>{title}</span>
          {about && <span className={styles.about}>{about}</span>}
        </li>
      ))}
    </ol>
  )
}
