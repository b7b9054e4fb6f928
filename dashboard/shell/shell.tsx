import type { ReactNode } from 'react'
import type { OwnOrganization } from '../data/organization.tsx'
import styles from './shell.module.css'
import { Sidebar } from './sidebar.tsx'

/** The frame of every screen of an organization: navigation beside the content. */
export function Shell({
  organizations,
  children,
}: {
  organizations: readonly OwnOrganization[]
  children: ReactNode
}) {
  return (
    <div className={styles.shell}>
      <Sidebar organizations={organizations} />
      <main id="main" className={styles.main}>
        {children}
      </main>
    </div>
  )
}
