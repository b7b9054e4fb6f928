import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { OrganizationProvider } from '../data/organization.tsx'
import { callerQuery, type OwnOrganization, useOwnOrganizations } from '../data/own-organizations.ts'
import { useLastOrganization } from '../data/preferences.tsx'
import { LostOrganization } from './lost-organization.tsx'
import { Shell } from './shell.tsx'

const route = getRouteApi('/o/$organization')

/** Knows the organization in the address and what the caller may do in it, and shows the screen inside the shell. */
export function OrganizationShell() {
  const { organization } = route.useRouteContext()
  useLastOrganization(organization.id)
  return (
    <OrganizationFrame organization={organization}>
      <Outlet />
    </OrganizationFrame>
  )
}

/** The shell for one organization of the person, as it changes. */
export function OrganizationFrame({
  organization: found,
  children,
}: {
  organization: OwnOrganization
  children: ReactNode
}) {
  const organizations = useOwnOrganizations()
  const caller = useQuery(callerQuery(found.id))
  const organization = organizations.find(({ id }) => id === found.id) ?? found
  const { id, name, address } = organization
  const scope = useMemo(
    () => caller.data && { id, address, name, caller: caller.data },
    [id, address, name, caller.data],
  )
  if (caller.error) return <LostOrganization name={name} error={caller.error} />
  if (!scope) return null
  return (
    <OrganizationProvider scope={scope}>
      <Shell>{children}</Shell>
    </OrganizationProvider>
  )
}
