import { Button } from 'react-aria-components'
import { useOrganization } from '../data/organization.tsx'
import type { OwnOrganization } from '../data/own-organizations.ts'
import { Menu } from '../parts/menu.tsx'
import { useWords } from '../words/words.ts'
import { OrganizationFace } from './faces.tsx'
import { planNames, shellTexts } from './shell.words.ts'
import styles from './sidebar.module.css'

/** The organization in the address, and the way to the others. Their entries are links, so each opens in a tab too. */
export function OrganizationMenu({
  organizations,
  isCollapsed,
}: {
  organizations: readonly OwnOrganization[]
  isCollapsed: boolean
}) {
  const text = useWords(shellTexts)
  const { id, name } = useOrganization()
  return (
    <Menu
      label={text.organizations}
      trigger={
        <Button className={styles.organization ?? ''} {...(isCollapsed && { 'aria-label': name })}>
          <OrganizationFace name={name} />
        </Button>
      }
      groups={[
        {
          id: 'organizations',
          title: text.organizations,
          entries: organizations.map(organization => ({
            id: organization.id,
            label: organization.name,
            hint: planNames[organization.plan],
            href: `/o/${encodeURIComponent(organization.address)}`,
            isCurrent: organization.id === id,
          })),
        },
        { id: 'all', entries: [{ id: 'all', label: text.all, icon: 'clients', href: '/me' }] },
      ]}
    />
  )
}
