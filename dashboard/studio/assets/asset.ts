import type { Asset, AssetItem } from '#contract/studio/assets.ts'

export type { Asset, AssetItem, AssetStatus, AssetType, Visibility } from '#contract/studio/assets.ts'

/** The parts of an asset that its actions need: a row of a list has them, and the details. */
export type AnyAsset = AssetItem | Asset

/** The address of the catalogue, below the address of the organization. */
export const catalogueHref = (address: string) => `/o/${encodeURIComponent(address)}/studio`

/** The address of an asset; also its slug leads there. */
export function assetHref(address: string, id: string): string {
  return `${catalogueHref(address)}/${encodeURIComponent(id)}`
}

/** Whether the caller's level is enough to change the content. */
export const canEdit = ({ access }: Pick<AssetItem, 'access'>) => access !== 'READ'

/** Whether the active version is not published yet. */
export const isUnpublished = ({ currentVersion }: Pick<AssetItem, 'currentVersion'>) =>
  currentVersion.publishedAt === null

/** Ids have this form; everything else in an address is a slug. */
export const isAssetId = (text: string) => /^c[a-z0-9]{24}$/.test(text)
