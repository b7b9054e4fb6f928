import { type ReactNode, useId } from 'react'
import styles from './part.module.css'

export type HeadingLevel = 2 | 3

/** A part of the details of a channel or an agent, with its own heading. */
export function Part({
  title,
  level,
  beside,
  actions,
  children,
}: {
  title: string
  /** One below the heading of what it belongs to: 2 on a page, 3 in a sheet. */
  level: HeadingLevel
  /** Follows the title: a count, a state. */
  beside?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  const id = useId()
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <section aria-labelledby={id} className={styles.part}>
      <header className={styles.head}>
        <Heading id={id} className={styles.title}>
          {title}
        </Heading>
        {beside && <span className={styles.beside}>{beside}</span>}
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </section>
  )
}
