import { type ReactNode, useEffect, useState } from 'react'
import { ButtonLink } from './button.tsx'
import { Icon } from './icon.tsx'
import styles from './states.module.css'

/** Replaces a list without rows: one sentence, one action, one link to a guide. */
export function Empty({
  title,
  children,
  action,
  guide,
}: {
  title: string
  children?: ReactNode
  action?: ReactNode
  guide?: { label: string; href: string }
}) {
  return (
    <div className={styles.state}>
      <p className={styles.title}>{title}</p>
      {children && <p className={styles.quiet}>{children}</p>}
      {(action || guide) && (
        <div className={styles.actions}>
          {action}
          {guide && (
            <ButtonLink kind="quiet" href={guide.href}>
              {guide.label}
            </ButtonLink>
          )}
        </div>
      )}
    </div>
  )
}

/** Replaces content that could not be read: what happened, what to do, and how to try again. */
export function Problem({
  title,
  children,
  action,
}: {
  title: string
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <div className={styles.state} role="alert">
      <p className={styles.title}>
        <Icon name="failed" className={styles.bad} /> {title}
      </p>
      {children && <p className={styles.quiet}>{children}</p>}
      {action && <div className={styles.actions}>{action}</div>}
    </div>
  )
}

/** A message above a form or a list. */
export function Notice({
  kind = 'info',
  children,
}: {
  kind?: 'info' | 'warn' | 'danger' | 'done'
  children: ReactNode
}) {
  const icon = { info: 'info', warn: 'errors', danger: 'failed', done: 'done' } as const
  return (
    <div className={`${styles.notice} ${styles[kind]}`} role={kind === 'danger' ? 'alert' : 'note'}>
      <Icon name={icon[kind]} />
      <div>{children}</div>
    </div>
  )
}

const skeletonDelayMs = 150

/** Grey lines while rows are being read. They appear after a delay, so that fast replies do not flicker. */
export function Skeleton({ rows = 6, label }: { rows?: number; label: string }) {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), skeletonDelayMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className={styles.skeleton} role="status" aria-label={label}>
      {isShown &&
        Array.from({ length: rows }, (_, row) => `row ${row}`).map(row => (
          <span key={row} className={styles.bone} />
        ))}
    </div>
  )
}
