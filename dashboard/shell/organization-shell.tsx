import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet } from '@tanstack/react-router'
import { useMemo } from 'react'
import { listOwnOrganizations } from '#contract/identity/sessions.ts'
import { OrganizationProvider } from '../data/organization.tsx'
import { callerQuery, type OwnOrganization } from '../data/own-organizations.ts'
import { useLastOrganization } from '../data/preferences.tsx'
import { useAccountRead } from '../data/read.ts'
import { LostOrganization } from './lost-organization.tsx'
import { Shell } from './shell.tsx'

const route = getRouteApi('/o/$organization')

/** Knows the organization in the address and what the caller may do in it, and shows the screen inside the shell. */
export function OrganizationShell() {
  const { organization: found } = route.useRouteContext()
  const organizations: readonly OwnOrganization[] =
    useAccountRead(listOwnOrganizations, { staleMs: 300_000 }).data?.items ?? []
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
      <Shell organizations={organizations}>
        <Outlet />
      </Shell>
    </OrganizationProvider>
  )
}
