import type { ReactNode } from 'react'
import styles from './book.module.css'

/** A page of the book: a part in all of its states. The id is its `?part=`. */
export type Chapter = { id: string; title: string; Content: () => ReactNode }

/** One state of a part, with what it shows. */
export function State({
  title,
  children,
  isFramed,
}: {
  title: string
  children: ReactNode
  /** With a frame of a fixed height, as the page gives it to a list; `low` is that of a few rows. */
  isFramed?: boolean | 'low'
}) {
  return (
    <div className={styles.state}>
      <p className={styles.stateTitle}>{title}</p>
      <div className={isFramed ? `${styles.framed} ${isFramed === 'low' ? styles.low : ''}` : styles.bare}>
        {children}
      </div>
    </div>
  )
}
