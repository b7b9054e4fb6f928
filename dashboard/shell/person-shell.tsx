import { useQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { listOwnOrganizations } from '#contract/identity/sessions.ts'
import { readAccount } from '../data/account.ts'
import { useServerPreferences } from '../data/preferences.tsx'
import { useAccountRead } from '../data/read.ts'
import { useSignOutOfOtherTabs } from '../data/tabs.ts'
import { Icon } from '../parts/icon.tsx'
import { useWords, words } from '../words/words.ts'
import { useFocusAfterNavigation } from './focus-after-navigation.ts'
import { leave } from './leave.ts'
import styles from './person-shell.module.css'
import shellStyles from './shell.module.css'
import { shellTexts } from './shell.words.ts'
import { SignInAgain } from './sign-in-again.tsx'

const texts = words({
  es: { title: 'Tu cuenta', profile: 'Perfil', security: 'Seguridad', sessions: 'Sesiones' },
  en: { title: 'Your account', profile: 'Profile', security: 'Security', sessions: 'Sessions' },
})

const pages = [
  { id: 'profile', href: '/me', icon: 'person' },
  { id: 'security', href: '/me/security', icon: 'lock' },
  { id: 'sessions', href: '/me/sessions', icon: 'device' },
] as const

/** The frame of the screens of the person, in no organization; a link leads back to the last one. */
export function PersonShell() {
  const text = useWords(texts)
  const { skip, signOut } = useWords(shellTexts)
  const organizations = useAccountRead(listOwnOrganizations, { staleMs: 300_000 }).data?.items ?? []
  const account = useQuery({ queryKey: ['account'], queryFn: readAccount })
  const preferences = useServerPreferences()
  useFocusAfterNavigation()
  useSignOutOfOtherTabs()
  const last = organizations.find(({ id }) => id === preferences?.lastOrganizationId) ?? organizations[0]
  return (
    <>
      <a href="#main" className={shellStyles.skip}>
        {skip}
      </a>
      <div className={styles.frame}>
        <nav aria-label={text.title} className={styles.navigation}>
          {last && (
            <Link to="/o/$organization" params={{ organization: last.address }} className={styles.back}>
              <Icon name="chevronLeft" />
              {last.name}
            </Link>
          )}
          <p className={styles.title}>{text.title}</p>
          <ul className={styles.list}>
            {pages.map(({ id, href, icon }) => (
              <li key={id}>
                <Link to={href} activeOptions={{ exact: true }} className={styles.entry}>
                  <Icon name={icon} />
                  {text[id]}
                </Link>
              </li>
            ))}
          </ul>
          <div className={styles.end}>
            <button type="button" className={styles.entry} onClick={() => void leave()}>
              <Icon name="signOut" />
              {signOut}
            </button>
          </div>
        </nav>
        <main id="main" tabIndex={-1} className={`${shellStyles.main} ${styles.page}`}>
          <Outlet />
        </main>
      </div>
      {account.data && <SignInAgain email={account.data.email} />}
    </>
  )
}
