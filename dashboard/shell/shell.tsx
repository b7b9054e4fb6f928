import { type ReactNode, useEffect } from 'react'
import { useDeviceSettings } from '../data/device-settings.ts'
import { firstScreen } from '../data/first-screen.ts'
import { useOrganization } from '../data/organization.tsx'
import { useServerPreferences } from '../data/preferences.tsx'
import { useSignOutOfOtherTabs } from '../data/tabs.ts'
import { IconButton } from '../parts/button.tsx'
import { late } from '../parts/late.tsx'
import { useWords } from '../words/words.ts'
import { useFocusAfterNavigation } from './focus-after-navigation.ts'
import { openOverlay, useOverlay } from './overlays.ts'
import styles from './shell.module.css'
import { shellTexts } from './shell.words.ts'
import { useShellShortcuts } from './shell-shortcuts.ts'
import { Sidebar } from './sidebar.tsx'
import { SignInAgain } from './sign-in-again.tsx'

const LiveData = late(() => import('../data/live-data.ts').then(live => live.LiveData))
const Overlay = late(() => import('./overlay.tsx').then(overlay => overlay.Overlay))

/** The frame of every screen of an organization: navigation beside the content, and what lies over both. */
export function Shell({ children }: { children: ReactNode }) {
  const text = useWords(shellTexts)
  const { id, name, caller } = useOrganization()
  const [{ isSidebarCollapsed }] = useDeviceSettings()
  const overlay = useOverlay()
  useServerPreferences()
  useShellShortcuts()
  useFocusAfterNavigation()
  useSignOutOfOtherTabs()
  // the first Ctrl+K does not wait for its script
  useEffect(() => void firstScreen.then(Overlay.preload), [])
  return (
    <div className={styles.shell} data-collapsed={isSidebarCollapsed || undefined}>
      <LiveData personId={caller.person.id} organizationId={id} />
      <a href="#main" className={styles.skip}>
        {text.skip}
      </a>
      <header className={styles.top}>
        <IconButton icon="menu" label={text.open} onPress={() => openOverlay('navigation')} />
        <span className={styles.name}>{name}</span>
        <IconButton icon="search" label={text.search} onPress={() => openOverlay('palette')} />
      </header>
      <div className={styles.side}>
        <Sidebar isCollapsed={isSidebarCollapsed} />
      </div>
      <main id="main" tabIndex={-1} className={styles.main}>
        {children}
      </main>
      {overlay && <Overlay overlay={overlay} />}
      <SignInAgain email={caller.person.email} />
    </div>
  )
}
