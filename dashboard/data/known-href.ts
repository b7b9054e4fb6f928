import { useRouter } from '@tanstack/react-router'
import { useOrganization } from './organization.tsx'

/**
 * The URL of a screen of the organization, such as `invoices`, or of the server, such as `/operator`; undefined without
 * it. `params` has the values of the parameters of its route: `agents/$agentId`.
 */
export function useKnownHref(): (
  route: string,
  search?: string,
  params?: Readonly<Record<string, string>>,
) => string | undefined {
  const { address } = useOrganization()
  const { routesByPath } = useRouter()
  return (route, search = '', params = {}) => {
    const [path, href] = route.startsWith('/')
      ? [route, route]
      : [`/o/$organization/${route}`, `/o/${encodeURIComponent(address)}/${route}`]
    if (!(path in routesByPath)) return undefined
    return `${href.replace(/\$(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))}${search}`
  }
}
