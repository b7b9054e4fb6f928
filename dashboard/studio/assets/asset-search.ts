import {
  type AssetOrder,
  type AssetStatus,
  type AssetType,
  assetOrders,
  assetStatuses,
  assetTypes,
  type Visibility,
  visibilities,
} from '#contract/studio/assets.ts'

/** The filters and the order of the catalogue, as the address and saved views have them. */
export type AssetFilters = {
  type?: AssetType
  status?: AssetStatus
  visibility?: Visibility
  authorId?: string
  tag?: string
  collectionId?: string
  search?: string
  orderBy?: AssetOrder
}
export type AssetSearch = AssetFilters & {
  /** The saved view that the filters come from. */
  view?: string
  /** The asset whose preview is open. */
  open?: string
}
/** Parts to set, or to remove where they are undefined. */
export type AssetSearchChange = { [Key in keyof AssetSearch]?: AssetSearch[Key] | undefined }

const oneOf = <Value extends string>(values: readonly Value[], value: unknown): Value | undefined =>
  values.find(one => one === value)
// the router reads a text of digits as a number
const textOf = (value: unknown) =>
  ['string', 'number', 'boolean'].includes(typeof value) && value !== '' ? String(value) : undefined

/** The filters in an address or a saved view, without what is not one. */
export function assetFiltersOf(given: Readonly<Record<string, unknown>>): AssetFilters {
  const filters = {
    type: oneOf(assetTypes, given.type),
    status: oneOf(assetStatuses, given.status),
    visibility: oneOf(visibilities, given.visibility),
    authorId: textOf(given.authorId),
    tag: textOf(given.tag),
    collectionId: textOf(given.collectionId),
    search: textOf(given.search),
    orderBy: oneOf(assetOrders, given.orderBy),
  }
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined))
}

export function assetSearchOf(given: Record<string, unknown>): AssetSearch {
  const view = textOf(given.view)
  const open = textOf(given.open)
  return { ...assetFiltersOf(given), ...(view && { view }), ...(open && { open }) }
}

/** The input of `listAssets`: the newest changes first, unless a search orders by what fits best. */
export function assetInputOf(filters: AssetFilters) {
  const { search = '', orderBy, ...others } = assetFiltersOf(filters)
  const words = search.trim()
  const order = orderBy ?? (words === '' ? 'recent' : undefined)
  return {
    query: { ...others, ...(words !== '' && { search: words }), ...(order && { orderBy: order }) },
  }
}

/** The address of the catalogue with these filters, below the address of the organization. */
export function filteredHref(address: string, search: AssetSearch = {}): string {
  const query = new URLSearchParams(Object.entries(search)).toString()
  return `/o/${encodeURIComponent(address)}/studio${query && `?${query}`}`
}
