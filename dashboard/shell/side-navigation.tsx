import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Icon, type IconName } from '../parts/icon.tsx'
import styles from './side-navigation.module.css'

export type SideEntry = { href: string; label: string; icon: IconName }

export type SideNavigationProps = {
  title: string
  entries: readonly SideEntry[]
  /** Leads out of these pages, above the title. */
  back?: SideEntry | undefined
  /** Below the entries. */
  end?: ReactNode
  children: ReactNode
}

/** Pages that belong together, with a navigation of their own beside them: on a phone, a line of tabs above. */
export function SideNavigation({ title, entries, back, end, children }: SideNavigationProps) {
  return (
    <div className={styles.frame}>
      <nav aria-label={title} className={styles.navigation}>
        {back && (
          <Link to={back.href} className={styles.back}>
            <Icon name={back.icon} />
            {back.label}
          </Link>
        )}
        <p className={styles.title}>{title}</p>
        <ul className={styles.list}>
          {entries.map(({ href, label, icon }) => (
            <li key={href}>
              <Link to={href} activeOptions={{ exact: true }} className={styles.entry}>
                <Icon name={icon} />
                {label}
              </Link>
            </li>
          ))}
        </ul>
        {end && <div className={styles.end}>{end}</div>}
      </nav>
      <div className={styles.page}>{children}</div>
    </div>
  )
}
