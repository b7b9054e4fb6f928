import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet } from '@tanstack/react-router'
import { useMemo } from 'react'
import { readCaller } from '#contract/identity/sessions.ts'
import { OrganizationProvider } from '../data/organization.tsx'
import { keyOf } from '../data/read.ts'
import { clientOf } from '../data/session.ts'
import { NotFound } from './not-found.tsx'
import { ScreenProblem } from './screen-problem.tsx'
import { Shell } from './shell.tsx'

const route = getRouteApi('/o/$organization')

/** Finds the organization in the address and what the caller may do in it, then shows the screen inside the shell. */
export function OrganizationShell() {
  const { organization: address } = route.useParams()
  const organizations = route.useLoaderData()
  const organization = organizations.find(({ id }) => id === address)
  const caller = useQuery({
    queryKey: keyOf(organization?.id ?? '', readCaller),
    queryFn: () => clientOf(organization!.id).call(readCaller),
    enabled: organization !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const scope = useMemo(
    () =>
      organization &&
      caller.data && { id: organization.id, address, name: organization.name, caller: caller.data },
    [organization, address, caller.data],
  )
  if (!organization) return <NotFound />
  if (caller.error) return <ScreenProblem error={caller.error} />
  if (!scope) return null
  return (
    <OrganizationProvider scope={scope}>
      <Shell organizations={organizations}>
        <Outlet />
      </Shell>
    </OrganizationProvider>
  )
}
