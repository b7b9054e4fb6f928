import { useKnownHref } from '../data/known-href.ts'

/** The address of an asset's page; of its files, where there is no page. */
export function useAssetHref(): (assetId: string) => string {
  const hrefOf = useKnownHref()
  const page = hrefOf('studio/$assetId') ?? hrefOf('studio/$assetId/files') ?? ''
  return assetId => page.replace('$assetId', encodeURIComponent(assetId))
}
