import { permissionOperations } from '#contract/operation-lists.ts'
import type { Permission } from '#contract/permissions.ts'
import { Facts } from '../../parts/facts.tsx'
import { Sheet, SheetSection } from '../../parts/sheet.tsx'
import { Tag, Tags } from '../../parts/status.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { permissionTexts } from '../permission.words.ts'
import styles from './permission-sheet.module.css'
import type { ShownRole } from './role.ts'
import { rolesTexts } from './roles.words.ts'
import { screensOf } from './screens-of.ts'

/** The screens that a permission opens, and every operation of the contract that asks for it. */
export function PermissionSheet({
  permission,
  roles,
  onClose,
}: {
  permission: Permission
  roles: readonly ShownRole[]
  onClose: () => void
}) {
  const text = useWords(rolesTexts)
  const language = useLanguage()
  const operations = permissionOperations[permission] ?? []
  const withIt = roles.filter(role => role.permissions.includes(permission))
  const screens = screensOf(permission)
  return (
    <Sheet title={permissionTexts[language][permission]} about={<code>{permission}</code>} onClose={onClose}>
      <SheetSection>
        <Facts
          facts={[
            screens.length > 0 && {
              term: text.screens,
              value: screens.map(({ label }) => label[language]).join(', '),
            },
            {
              term: text.whoHas,
              value:
                withIt.length > 0 ? (
                  <Tags>
                    {withIt.map(({ key, name }) => (
                      <Tag key={key}>{name}</Tag>
                    ))}
                  </Tags>
                ) : (
                  `${text.nobodyHas}. ${permission === 'STUDIO_VERIFY' ? text.verifyAbout : ''}`
                ),
            },
          ]}
        />
      </SheetSection>
      <SheetSection>
        <h3 className={styles.title}>{text.opens}</h3>
        {operations.length === 0 && <p className={styles.quiet}>{text.noOperations}</p>}
        {/* the contract describes its operations in English */}
        <ul lang="en">
          {operations.map(({ name, summary }) => (
            <li key={name} className={styles.operation}>
              {summary}
              <code className={styles.path}>{name}</code>
            </li>
          ))}
        </ul>
      </SheetSection>
    </Sheet>
  )
}
