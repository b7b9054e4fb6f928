import { useRouter } from '@tanstack/react-router'
import { useOrganization } from '../data/organization.tsx'

const pageOfAsset = /^\/o\/\$organization\/studio\/(?:assets\/)?\$\w+$/

/** The page of an asset in the studio; undefined as long as the studio has none. */
export function useAssetHref(): (assetId: string) => string | undefined {
  const { address } = useOrganization()
  const { routesByPath } = useRouter()
  const route = Object.keys(routesByPath).find(path => pageOfAsset.test(path))
  return assetId =>
    route
      ?.replace('$organization', encodeURIComponent(address))
      .replace(/\$\w+$/, encodeURIComponent(assetId))
}
