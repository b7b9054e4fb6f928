import { useRouter } from '@tanstack/react-router'
import { useOrganization } from './organization.tsx'

/** The URL of a screen of the organization, such as `invoices`, or of the server, such as `/operator`; undefined without it. */
export function useKnownHref(): (route: string, search?: string) => string | undefined {
  const { address } = useOrganization()
  const { routesByPath } = useRouter()
  return (route, search = '') => {
    const [path, href] = route.startsWith('/')
      ? [route, route]
      : [`/o/$organization/${route}`, `/o/${encodeURIComponent(address)}/${route}`]
    return path in routesByPath ? `${href}${search}` : undefined
  }
}
