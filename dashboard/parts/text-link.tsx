import type { ReactNode } from 'react'
import { Link } from 'react-aria-components'
import styles from './text-link.module.css'

/** A link among text: words that lead to another screen, a page or an address of mail. */
export function TextLink({
  href,
  isInNewTab = false,
  isCut = false,
  children,
}: {
  href: string
  isInNewTab?: boolean
  /** Stays on one line, which ends with an ellipsis where it is too long. */
  isCut?: boolean
  children: ReactNode
}) {
  return (
    <Link
      href={href}
      className={`${styles.link} ${isCut ? styles.cut : ''}`}
      {...(isInNewTab && { target: '_blank', rel: 'noreferrer' })}
    >
      {children}
    </Link>
  )
}
