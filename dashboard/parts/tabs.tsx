import type { ReactNode } from 'react'
import { Tabs as AriaTabs, Link, Tab, TabList, TabPanel } from 'react-aria-components'
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
  return (
    <div className={styles.line}>
      <nav aria-label={label} className={styles.tabs}>
        {tabs.map(({ id, title, href, count }) => (
          <Link
            key={id}
            href={href}
            className={styles.tab}
            {...(id === current && { 'aria-current': 'page' as const })}
          >
            <TabTitle title={title} count={count} />
          </Link>
        ))}
      </nav>
    </div>
  )
}

export type LocalTab = { id: string; title: string; count?: number | string; content: ReactNode }

/** Tabs within a part of a screen that have no address. */
export function LocalTabs({
  label,
  tabs,
  current,
  onChange,
}: {
  label: string
  tabs: readonly LocalTab[]
  current?: string
  onChange?: (id: string) => void
}) {
  return (
    <AriaTabs
      {...(current !== undefined && { selectedKey: current })}
      {...(onChange && { onSelectionChange: key => onChange(String(key)) })}
    >
      <TabList aria-label={label} className={`${styles.tabs} ${styles.local}`}>
        {tabs.map(({ id, title, count }) => (
          <Tab key={id} id={id} className={styles.tab}>
            <TabTitle title={title} count={count} />
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ id, content }) => (
        <TabPanel key={id} id={id} className={styles.panel}>
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  )
}

function TabTitle({ title, count }: { title: string; count: number | string | undefined }) {
  return (
    <>
      {title}
      {count !== undefined && <span className={styles.count}>{count}</span>}
    </>
  )
}
