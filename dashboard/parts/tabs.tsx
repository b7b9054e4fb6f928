import { useRef } from 'react'
import { Link } from 'react-aria-components'
import { useChosenTabInView } from './chosen-tab.ts'
import styles from './tabs.module.css'

export type TabLink = { id: string; title: string; href: string; count?: number | string }

/** Tabs that are links, so that each can be sent to a colleague and opened in a new tab of the browser. */
export function Tabs({
  label,
  tabs,
  current,
}: {
  /** Names the group for screen readers: “Lead”. */
  label: string
  tabs: readonly TabLink[]
  current: string
}) {
  const line = useRef<HTMLElement>(null)
  useChosenTabInView(line, current)
  return (
    <div className={styles.line}>
      <nav ref={line} aria-label={label} className={styles.tabs}>
        {tabs.map(({ id, title, href, count }) => (
          <Link
            key={id}
            href={href}
            className={styles.tab}
            data-tab={id}
            {...(id === current && { 'aria-current': 'page' as const })}
          >
            <TabTitle title={title} count={count} />
          </Link>
        ))}
      </nav>
    </div>
  )
}

/** The title of a tab with a count behind it. */
export function TabTitle({ title, count }: { title: string; count: number | string | undefined }) {
  return (
    <>
      {title}
      {count !== undefined && <span className={styles.count}>{count}</span>}
    </>
  )
}
