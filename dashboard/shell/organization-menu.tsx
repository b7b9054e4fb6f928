import { useOrganization } from '../data/organization.tsx'
import { useOwnOrganizations } from '../data/own-organizations.ts'
import { MenuAt } from '../parts/menu.tsx'
import { useWords } from '../words/words.ts'
import type { OpenMenuProps } from './late-menu.tsx'
import { planNames, shellTexts } from './shell.words.ts'

/** The organization in the address, and the way to the others. Their entries are links, so each opens in a tab too. */
export function OrganizationMenu(menu: OpenMenuProps) {
  const text = useWords(shellTexts)
  const { id } = useOrganization()
  const organizations = useOwnOrganizations()
  return (
    <MenuAt
      {...menu}
      label={text.organizations}
      placement="bottom start"
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
