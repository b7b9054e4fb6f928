import {
  type AssetOrder,
  type AssetStatus,
  type AssetType,
  assetOrders,
  assetStatuses,
  assetTypes,
} from '#contract/studio/assets.ts'

/** The state of the list of assets in the address. */
export type CollectionSearch = { type?: AssetType; status?: AssetStatus; orderBy?: AssetOrder }

export function collectionSearchOf(given: Record<string, unknown>): CollectionSearch {
  const type = assetTypes.find(one => one === given.type)
  const status = assetStatuses.find(one => one === given.status)
  const orderBy = assetOrders.find(one => one === given.orderBy)
  return { ...(type && { type }), ...(status && { status }), ...(orderBy && { orderBy }) }
}

/** The input of `listCollectionAssets`. */
export function collectionInputOf(id: string, search: CollectionSearch) {
  return { params: { id }, query: collectionSearchOf(search) }
}
