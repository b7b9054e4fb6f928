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
  /** In a frame of a fixed height, as a list fills a page; `low` has room for a few rows. */
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
