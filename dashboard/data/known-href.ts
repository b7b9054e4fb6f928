import { useOrganization } from './organization.tsx'

/**
 * The URL of a screen of the organization, such as `invoices`, or of the server, such as `/operator`, for areas that do
 * not know each other's routes. `params` has the values of the parameters of its route: `agents/$agentId`.
 */
export function useKnownHref(): (
  route: string,
  search?: string,
  params?: Readonly<Record<string, string>>,
) => string {
  const { address } = useOrganization()
  return (route, search = '', params = {}) => {
    const href = route.startsWith('/') ? route : `/o/${encodeURIComponent(address)}/${route}`
    return `${href.replace(/\$(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))}${search}`
  }
}
