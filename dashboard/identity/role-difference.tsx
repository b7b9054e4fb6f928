import type { Permission } from '#contract/permissions.ts'
import { Icon } from '../parts/icon.tsx'
import { useLanguage } from '../words/words.ts'
import { permissionTexts } from './permission.words.ts'
import styles from './role-difference.module.css'

/** The permissions that a role adds or removes, in the words of people. */
export function RoleDifference({
  title,
  permissions,
  kind,
}: {
  title: string
  permissions: readonly Permission[]
  kind: 'gains' | 'loses'
}) {
  const language = useLanguage()
  if (permissions.length === 0) return null
  return (
    <div>
      <h3 className={styles.title}>{title}</h3>
      <ul className={styles[kind]}>
        {permissions.map(permission => (
          <li key={permission} className={styles.line}>
            <Icon name={kind === 'gains' ? 'plus' : 'close'} />
            {permissionTexts[language][permission]}
          </li>
        ))}
      </ul>
    </div>
  )
}
