import { getRouteApi, Outlet } from '@tanstack/react-router'
import { useWords, words } from '../words/words.ts'
import { NotFound } from './not-found.tsx'
import styles from './operator-shell.module.css'
import { OrganizationFrame } from './organization-shell.tsx'

const route = getRouteApi('/operator')
const texts = words({
  es: { band: 'Operador de este servidor: estos datos no son de tu organización' },
  en: { band: 'Operator of this server: these are not the data of your own organization' },
})

/** The frame of the screens of operators: that of their organization, with a band that tells the two apart. */
export function OperatorShell() {
  const text = useWords(texts)
  const { organization, isOperator } = route.useRouteContext()
  if (!isOperator) return <NotFound />
  return (
    <OrganizationFrame organization={organization}>
      <div className={styles.frame}>
        <p className={styles.band}>{text.band}</p>
        <Outlet />
      </div>
    </OrganizationFrame>
  )
}
