import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Nullable, OneOf, Page, pageQuery, Time } from '../shapes.ts'
import { Asset, Author, assetStatuses, assetTypes, Slug, visibilities } from './assets.ts'

export const AssetVerified = Type.Object({
  id: Id,
  verified: Type.Boolean(),
  verifiedAt: Time,
  verifiedBy: Author,
  verifiedVersion: Type.String(),
})
const studio = { area: 'studio', module: 'studio' } as const
const edit = { session: { permission: 'STUDIO_EDIT' } } as const
const one = { id: Id }

export const publishAsset = operation('POST /assets/:id/publish', {
  ...studio,
  summary: 'Publish the active version',
  description: 'Publishing what is published already changes nothing.',
  auth: { session: { permission: 'STUDIO_PUBLISH' } },
  params: one,
  reply: Asset,
  status: 201,
  errors: ['ASSET_NOT_FOUND', 'ASSET_ACCESS_DENIED', 'ASSET_ARCHIVED'],
})

export const archiveAsset = operation('POST /assets/:id/archive', {
  ...studio,
  summary: 'Archive an asset',
  description:
    'An archived asset can be read and used but not changed. Its entry in the marketplace is withdrawn. Takes ' +
    'administration access.',
  auth: edit,
  params: one,
  reply: Asset,
  status: 201,
  errors: ['ASSET_NOT_FOUND', 'ASSET_ACCESS_DENIED'],
})

export const unarchiveAsset = operation('POST /assets/:id/unarchive', {
  ...studio,
  summary: 'Take an asset out of the archive',
  description: 'It is PUBLISHED again if it was ever published, else DRAFT. Takes administration access.',
  auth: edit,
  params: one,
  reply: Asset,
  status: 201,
  errors: ['ASSET_NOT_FOUND', 'ASSET_ACCESS_DENIED'],
})

export const verifyAsset = operation('POST /assets/:id/verify', {
  ...studio,
  summary: 'Mark as verified',
  description:
    'The mark belongs to the active version: the asset shows it until another version is active or its content changes.',
  auth: { session: { permission: 'STUDIO_VERIFY' } },
  params: one,
  reply: AssetVerified,
  status: 201,
  errors: ['ASSET_NOT_FOUND', 'ASSET_ARCHIVED'],
})

export const transferAsset = operation('POST /assets/:id/transfer', {
  ...studio,
  summary: 'Hand an asset over to another author',
  description:
    'The new author may do everything with the asset, and its entry in the marketplace becomes theirs. The former ' +
    'author keeps only what visibility and shares give them. For the author and for administrators of the organization.',
  auth: edit,
  params: one,
  body: { authorId: Id },
  reply: Type.Object({ id: Id, author: Author }),
  status: 201,
  errors: ['ASSET_NOT_FOUND', 'ASSET_ACCESS_DENIED', 'AUTHOR_UNKNOWN'],
})

export const transferAssetsOf = operation('POST /authors/:personId/transfer', {
  ...studio,
  summary: 'Hand all assets of a present or former member over to another author',
  description:
    `At most ${limits.assetsPerHandOver} assets in one call: repeat it until \`remaining\` is 0. For administrators ` +
    'of the organization.',
  auth: { session: { permission: 'ORG_MANAGE' } },
  params: { personId: Id },
  body: { authorId: Id },
  reply: Type.Object({
    transferred: Type.Integer(),
    remaining: Type.Integer({ description: 'Assets of the former author that are left' }),
  }),
  errors: ['MEMBER_NOT_FOUND', 'AUTHOR_UNKNOWN', 'PERMISSION_DENIED'],
})

/** An asset that was deleted and can be restored. */
export const DeletedAsset = Type.Object({
  id: Id,
  type: OneOf(assetTypes),
  slug: Slug,
  name: Type.String(),
  status: OneOf(assetStatuses),
  visibility: OneOf(visibilities),
  version: Type.String(),
  author: Author,
  deletedAt: Time,
  deletedBy: Nullable(Author),
  restorableUntil: Time,
})
export type DeletedAsset = Static<typeof DeletedAsset>

export const listDeletedAssets = operation('GET /assets/deleted', {
  ...studio,
  summary: 'List deleted assets that can be restored',
  description:
    'The last deleted first. Administrators see those of the whole organization, others what they wrote or deleted ' +
    'themselves and may administer.',
  auth: { session: { permission: 'STUDIO_DELETE' } },
  query: pageQuery,
  reply: Page(DeletedAsset),
})

export const restoreAsset = operation('POST /assets/:id/restore', {
  ...studio,
  summary: 'Restore a deleted asset',
  description:
    `Within ${limits.deletedAssetDays} days the asset comes back as it was deleted: status, slug, versions, files, ` +
    'collections, links, shares, counters. Its entry in the marketplace stays withdrawn; submit the asset again. ' +
    'Streams say `asset-created`, with `restored`. Restoring what is not deleted changes nothing. Takes the same ' +
    'access as deleting.',
  auth: { session: { permission: 'STUDIO_DELETE' } },
  params: one,
  reply: Asset,
  status: 201,
  errors: ['ASSET_NOT_FOUND', 'ASSET_ACCESS_DENIED'],
})
