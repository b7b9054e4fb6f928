import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { listOwnOrganizations } from '#contract/identity/sessions.ts'
import { readAccount } from '../data/account.ts'
import { useServerPreferences } from '../data/preferences.tsx'
import { useAccountRead } from '../data/read.ts'
import { useSignOutOfOtherTabs } from '../data/tabs.ts'
import { Button } from '../parts/button.tsx'
import { useWords, words } from '../words/words.ts'
import { useFocusAfterNavigation } from './focus-after-navigation.ts'
import { leave } from './leave.ts'
import styles from './shell.module.css'
import { shellTexts } from './shell.words.ts'
import { SideNavigation } from './side-navigation.tsx'
import { SignInAgain } from './sign-in-again.tsx'

const texts = words({
  es: { title: 'Tu cuenta', profile: 'Perfil', security: 'Seguridad', sessions: 'Sesiones' },
  en: { title: 'Your account', profile: 'Profile', security: 'Security', sessions: 'Sessions' },
})

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
      <a href="#main" className={styles.skip}>
        {skip}
      </a>
      <div className={styles.person}>
        <SideNavigation
          title={text.title}
          back={last && { href: `/o/${last.address}`, label: last.name, icon: 'chevronLeft' }}
          entries={[
            { href: '/me', label: text.profile, icon: 'person' },
            { href: '/me/security', label: text.security, icon: 'lock' },
            { href: '/me/sessions', label: text.sessions, icon: 'device' },
          ]}
          end={
            <Button kind="quiet" icon="signOut" onPress={() => void leave()}>
              {signOut}
            </Button>
          }
        >
          <main id="main" tabIndex={-1} className={styles.main}>
            <Outlet />
          </main>
        </SideNavigation>
      </div>
      {account.data && <SignInAgain email={account.data.email} />}
    </>
  )
}
