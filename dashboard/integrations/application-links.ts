import { useOrganization } from '../data/organization.tsx'

export type ApplicationTab = 'overview' | 'keys' | 'webhook' | 'deliveries' | 'recovery'

/** The URL of an application, of one of its tabs, or of something below it. */
export function useApplicationHref(): (id: string, tab?: ApplicationTab, rest?: string) => string {
  const { address } = useOrganization()
  return (id, tab = 'overview', rest = '') =>
    `/o/${encodeURIComponent(address)}/applications/${encodeURIComponent(id)}${tab === 'overview' ? '' : `/${tab}`}${rest}`
}
