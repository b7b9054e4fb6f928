import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'
import styles from './status.module.css'

export type StatusKind = 'plain' | 'quiet' | 'done' | 'danger' | 'warn' | 'info'
/** How a status looks, beside its word. */
export type StatusLook = { icon: IconName; kind: StatusKind }

/**
 * A state: an icon with a colour, and a word. Only `danger` and `quiet` colour the word too. The icons of the stages of
 * a process fill up: dashed, quarter, half, threeQuarters, done.
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

/** A framed word: a label that people chose, or a state that must be noticed. */
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

/** Several tags, which wrap, or are shortened to the one line of a cell. */
export function Tags({ isOneLine = false, children }: { isOneLine?: boolean; children: ReactNode }) {
  return <span className={`${styles.tags} ${isOneLine ? styles.oneLine : ''}`}>{children}</span>
}
