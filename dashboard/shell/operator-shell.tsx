import { getRouteApi, Outlet } from '@tanstack/react-router'
import { useOrganization } from '../data/organization.tsx'
import { ButtonLink } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { Problem } from '../parts/states.tsx'
import { useWords, words } from '../words/words.ts'
import styles from './operator-shell.module.css'
import { OrganizationFrame } from './organization-shell.tsx'

const route = getRouteApi('/operator')
const texts = words({
  es: {
    band: 'Operador de este servidor',
    ended: 'Ya no operas este servidor.',
    home: 'Ir al inicio',
    about: 'Lo que ves y cambias aquí es de otras organizaciones, y queda en su registro de auditoría.',
  },
  en: {
    band: 'Operator of this server',
    ended: 'You no longer operate this server.',
    home: 'Go to Home',
    about: 'What you see and change here belongs to other organizations, and is kept in their audit logs.',
  },
})

/** The frame of the screens of operators: that of their organization, with a band that tells the two apart. */
export function OperatorShell() {
  const { organization } = route.useRouteContext()
  return (
    <OrganizationFrame organization={organization}>
      <OperatorScreens />
    </OrganizationFrame>
  )
}

function OperatorScreens() {
  const text = useWords(texts)
  const { caller } = useOrganization()
  // the right may end while a screen is open
  if (!caller.isOperator)
    return <Problem title={text.ended} action={<ButtonLink href="/">{text.home}</ButtonLink>} />
  return (
    <>
      <div role="note" className={styles.band}>
        <Icon name="operator" />
        <strong className={styles.name}>{text.band}</strong>
        <span className={styles.host}>{location.host}</span>
        <span className={styles.about}>{text.about}</span>
      </div>
      <Outlet />
    </>
  )
}
