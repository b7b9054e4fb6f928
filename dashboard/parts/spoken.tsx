import type { ReactNode } from 'react'
import styles from './spoken.module.css'

/** Text for screen readers alone. With `isLive`, they also read it when it changes, after what they are reading. */
export function Spoken({ isLive = false, children }: { isLive?: boolean; children?: ReactNode }) {
  return (
    <span className={styles.spoken} {...(isLive && { role: 'status' })}>
      {children}
    </span>
  )
}
