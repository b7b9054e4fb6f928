import { type ReactNode, useId } from 'react'
import styles from './card.module.css'

export type CardProps = {
  title: string
  /** Follows the title: a count, a tag. */
  beside?: ReactNode
  /** At the end of the title's line. */
  actions?: ReactNode
  /** The level of the heading: one below the heading around the card. */
  level?: 2 | 3
  children: ReactNode
}

/** A framed section for one of several things of a kind. Cards never contain cards. */
export function Card({ title, beside, actions, level = 2, children }: CardProps) {
  const id = useId()
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <section className={styles.card} aria-labelledby={id}>
      <header className={styles.head}>
        <Heading id={id} className={styles.title}>
          {title}
        </Heading>
        {beside}
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </section>
  )
}
