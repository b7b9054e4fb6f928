import type { ReactNode } from 'react'
import styles from './scroll-region.module.css'

/** A part of a screen that scrolls by itself. The keyboard can focus it, to scroll. */
export function ScrollRegion({
  label,
  children,
}: {
  /** Names it for screen readers. */
  label: string
  children: ReactNode
}) {
  return (
    <div className={styles.region} tabIndex={0} role="region" aria-label={label}>
      {children}
    </div>
  )
}
