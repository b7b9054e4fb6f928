import { useRouter } from '@tanstack/react-router'
import { useOrganization } from '../data/organization.tsx'

/** The URL of a screen of the organization, such as `invoices`; undefined if there is no such screen. */
export function useKnownHref(): (route: string, search?: string) => string | undefined {
  const { address } = useOrganization()
  const { routesByPath } = useRouter()
  return (route, search = '') =>
    `/o/$organization/${route}` in routesByPath
      ? `/o/${encodeURIComponent(address)}/${route}${search}`
      : undefined
}
