import type { ReactNode } from 'react'
import styles from './spoken.module.css'

/** Visually hidden text for screen readers. With `isLive`, they also announce it when it changes. */
export function Spoken({ isLive = false, children }: { isLive?: boolean; children?: ReactNode }) {
  return (
    <span className={styles.spoken} {...(isLive && { role: 'status' })}>
      {children}
    </span>
  )
}
