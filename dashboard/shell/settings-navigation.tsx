import { Link, Navigate, Outlet } from '@tanstack/react-router'
import { Icon } from '../parts/icon.tsx'
import { useLanguage, useWords } from '../words/words.ts'
import { useHrefOf, useSettingsNavigation } from './destinations.ts'
import styles from './settings-navigation.module.css'
import { shellTexts } from './shell.words.ts'

/** The pages of the settings beside the page that is open. Each appears only to those who may use it. */
export function SettingsFrame() {
  const { settings } = useWords(shellTexts)
  const language = useLanguage()
  const destinations = useSettingsNavigation()
  const hrefOf = useHrefOf()
  return (
    <div className={styles.frame}>
      <nav aria-label={settings} className={styles.navigation}>
        <p className={styles.title}>{settings}</p>
        <ul className={styles.list}>
          {destinations.map(destination => (
            <li key={destination.id}>
              <Link to={hrefOf(destination)} className={styles.entry}>
                <Icon name={destination.icon} />
                {destination.label[language]}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles.page}>
        <Outlet />
      </div>
    </div>
  )
}

/** The settings without a page open the first one that the person may use. */
export function SettingsStart() {
  const [first] = useSettingsNavigation()
  const hrefOf = useHrefOf()
  return first ? <Navigate to={hrefOf(first)} replace /> : null
}
