import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { permissionOperations } from '#contract/operation-lists.ts'
import { type Permission, permissions } from '#contract/permissions.ts'
import { Icon } from '../../parts/icon.tsx'
import type { MenuEntry } from '../../parts/menu.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { Spoken } from '../../parts/spoken.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { permissionTexts } from '../permission.words.ts'
import { permissionGroups } from './permission-groups.ts'
import type { ShownRole } from './role.ts'
import styles from './role-matrix.module.css'
import { rolesTexts } from './roles.words.ts'
import { screensOf } from './screens-of.ts'

export type RoleListProps = {
  roles: readonly ShownRole[]
  /** The actions of a role; none for those who may only read. */
  menuOf: (role: ShownRole) => readonly MenuEntry[]
}

/** Every role beside the others: a row for each permission, a column for each role. */
export function RoleMatrix({
  roles,
  menuOf,
  current,
}: RoleListProps & {
  /** The permission whose details are open. */
  current: Permission | undefined
}) {
  const text = useWords(rolesTexts)
  return (
    <div className={styles.scroller}>
      <table className={styles.matrix} aria-label={text.title}>
        <thead>
          <tr>
            <th scope="col" className={styles.corner}>
              {text.permission}
            </th>
            {roles.map(role => (
              <th key={role.key} scope="col">
                <span className={styles.roleName}>{role.name}</span>
                <span className={styles.role}>
                  <span className={styles.kind}>{role.custom ? text.custom : text.builtIn}</span>
                  <RoleMenu role={role} entries={menuOf(role)} />
                </span>
              </th>
            ))}
          </tr>
        </thead>
        {permissionGroups.map(group => (
          <tbody key={group.id}>
            <tr>
              <th scope="rowgroup" colSpan={roles.length + 1} className={styles.group}>
                <span className={styles.groupName}>{text[group.id]}</span>
              </th>
            </tr>
            {group.permissions.map(permission => (
              <tr key={permission} className={permission === current ? styles.current : undefined}>
                <th scope="row" className={styles.permission}>
                  <PermissionLink permission={permission} />
                </th>
                {roles.map(role => (
                  <td key={role.key}>
                    <Has isGiven={role.permissions.includes(permission)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  )
}

/** The roles one after the other, each with its permissions behind a line: for small screens. */
export function RoleList({ roles, menuOf }: RoleListProps) {
  const text = useWords(rolesTexts)
  return (
    <div className={styles.list}>
      {roles.map(role => (
        <section key={role.key} className={styles.item} aria-label={role.name}>
          <header className={styles.itemHead}>
            <div>
              <h2 className={styles.roleName}>{role.name}</h2>
              <p className={styles.kind}>{role.custom ? text.custom : text.builtIn}</p>
            </div>
            <RoleMenu role={role} entries={menuOf(role)} />
          </header>
          <details className={styles.details}>
            <summary>{text.hasCount(role.permissions.length, permissions.length)}</summary>
            {permissionGroups
              .map(group => ({
                ...group,
                permissions: group.permissions.filter(permission => role.permissions.includes(permission)),
              }))
              .filter(group => group.permissions.length > 0)
              .map(group => (
                <Fragment key={group.id}>
                  <h3 className={styles.groupName}>{text[group.id]}</h3>
                  <ul>
                    {group.permissions.map(permission => (
                      <li key={permission} className={styles.line}>
                        <PermissionLink permission={permission} />
                      </li>
                    ))}
                  </ul>
                </Fragment>
              ))}
          </details>
        </section>
      ))}
    </div>
  )
}

/** The words of a permission, and what it opens; a press opens its details. */
function PermissionLink({ permission }: { permission: Permission }) {
  const text = useWords(rolesTexts)
  const language = useLanguage()
  const count = permissionOperations[permission]?.length ?? 0
  return (
    <>
      <Link to="." search={{ permission }} className={styles.permissionName}>
        {permissionTexts[language][permission]}
      </Link>
      <span className={styles.opens}>
        {[
          ...screensOf(permission).map(({ label }) => label[language]),
          ...(count > 0 ? [text.operations(count)] : []),
        ].join(' · ')}
      </span>
    </>
  )
}

function Has({ isGiven }: { isGiven: boolean }) {
  const text = useWords(rolesTexts)
  return isGiven ? (
    <>
      <Icon name="check" className={styles.yes} />
      <Spoken>{text.yes}</Spoken>
    </>
  ) : (
    <>
      <span className={styles.no} aria-hidden="true">
        ·
      </span>
      <Spoken>{text.no}</Spoken>
    </>
  )
}

function RoleMenu({ role, entries }: { role: ShownRole; entries: readonly MenuEntry[] }) {
  const text = useWords(rolesTexts)
  if (entries.length === 0) return null
  return <MoreMenu label={text.actionsOf(role.name)} size="small" groups={[{ id: 'actions', entries }]} />
}
