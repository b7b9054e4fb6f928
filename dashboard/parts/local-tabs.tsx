import { type ReactNode, useRef, useState } from 'react'
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components'
import { useChosenTabInView } from './chosen-tab.ts'
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
  const [own, setOwn] = useState(tabs[0]?.id ?? '')
  const chosen = current ?? own
  const line = useRef<HTMLDivElement>(null)
  useChosenTabInView(line, chosen)
  function choose(id: string): void {
    setOwn(id)
    onChange?.(id)
  }
  return (
    <Tabs selectedKey={chosen} onSelectionChange={key => choose(String(key))}>
      <TabList ref={line} aria-label={label} className={`${styles.tabs} ${styles.local}`}>
        {tabs.map(({ id, title, count }) => (
          <Tab key={id} id={id} data-tab={id} className={styles.tab}>
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
