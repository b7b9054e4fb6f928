import { useOrganization } from '../data/organization.tsx'

/** The address of an asset's page. */
export function useAssetHref(): (assetId: string) => string {
  const { address } = useOrganization()
  return assetId => `/o/${encodeURIComponent(address)}/studio/${encodeURIComponent(assetId)}`
}
