import type { ReactNode } from 'react'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components'
import styles from './tabs.module.css'
import { TabTitle } from './tabs.tsx'

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
    <Tabs
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
    </Tabs>
  )
}
