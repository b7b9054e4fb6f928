import type { ReactNode } from 'react'
import styles from './sheet.module.css'

/** A list with the sheet of its open row beside it, or over it where there is little room. */
export function WithSheet({ sheet, children }: { sheet: ReactNode; children: ReactNode }) {
  return (
    <div className={`${styles.layout} ${sheet ? styles.open : ''}`}>
      <div className={styles.list}>{children}</div>
      {sheet}
    </div>
  )
}
