import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'
import styles from './status.module.css'

export type StatusKind = 'plain' | 'quiet' | 'done' | 'danger' | 'warn' | 'info'

/**
 * A state: an icon and a word. The colour comes third, and only `danger` colours the word too.
 * Stages are shapes that fill: dashed, quarter, half, threeQuarters, done.
 */
export function Status({
  icon,
  kind = 'plain',
  children,
}: {
  icon: IconName
  kind?: StatusKind
  children: ReactNode
}) {
  return (
    <span className={`${styles.status} ${styles[kind] ?? ''}`}>
      <Icon name={icon} className={styles.icon} />
      <span className={styles.word}>{children}</span>
    </span>
  )
}

/** A short word in a frame: a label of a person, or a state that must not be overlooked. */
export function Tag({
  kind = 'plain',
  icon,
  children,
}: {
  kind?: Exclude<StatusKind, 'quiet'>
  icon?: IconName
  children: ReactNode
}) {
  return (
    <span className={`${styles.tag} ${styles[`${kind}Tag`] ?? ''}`}>
      {icon && <Icon name={icon} className={styles.tagIcon} />}
      {children}
    </span>
  )
}

/** Several tags, which break into lines. */
export function Tags({ children }: { children: ReactNode }) {
  return <span className={styles.tags}>{children}</span>
}
