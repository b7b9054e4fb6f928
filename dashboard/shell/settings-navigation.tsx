import { Navigate, Outlet } from '@tanstack/react-router'
import { useLanguage, useWords } from '../words/words.ts'
import { useHrefOf, useSettingsNavigation } from './destinations.ts'
import { shellTexts } from './shell.words.ts'
import { SideNavigation } from './side-navigation.tsx'

/** The pages of the settings beside the page that is open. Each appears only to those who may use it. */
export function SettingsFrame() {
  const { settings } = useWords(shellTexts)
  const language = useLanguage()
  const destinations = useSettingsNavigation()
  const hrefOf = useHrefOf()
  const entries = destinations.map(destination => ({
    href: hrefOf(destination),
    label: destination.label[language],
    icon: destination.icon,
  }))
  return (
    <SideNavigation title={settings} entries={entries}>
      <Outlet />
    </SideNavigation>
  )
}

/** The settings without a page open the first one that the person may use. */
export function SettingsStart() {
  const [first] = useSettingsNavigation()
  const hrefOf = useHrefOf()
  return first ? <Navigate to={hrefOf(first)} replace /> : null
}
