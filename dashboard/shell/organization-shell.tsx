import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet } from '@tanstack/react-router'
import { useMemo } from 'react'
import { OrganizationProvider } from '../data/organization.tsx'
import { callerQuery, useOwnOrganizations } from '../data/own-organizations.ts'
import { useLastOrganization } from '../data/preferences.tsx'
import { LostOrganization } from './lost-organization.tsx'
import { Shell } from './shell.tsx'

const route = getRouteApi('/o/$organization')

/** Knows the organization in the address and what the caller may do in it, and shows the screen inside the shell. */
export function OrganizationShell() {
  const { organization: found } = route.useRouteContext()
  const organizations = useOwnOrganizations()
  const caller = useQuery(callerQuery(found.id))
  const organization = organizations.find(({ id }) => id === found.id) ?? found
  const { id, name, address } = organization
  useLastOrganization(id)
  const scope = useMemo(
    () => caller.data && { id, address, name, caller: caller.data },
    [id, address, name, caller.data],
  )
  if (caller.error) return <LostOrganization name={name} error={caller.error} />
  if (!scope) return null
  return (
    <OrganizationProvider scope={scope}>
      <Shell>
        <Outlet />
      </Shell>
    </OrganizationProvider>
  )
}
