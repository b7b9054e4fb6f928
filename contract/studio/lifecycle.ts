import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Nullable, OneOf, Page, pageQuery, Time } from '../shapes.ts'
import { Type } from '../type.ts'
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
const assetParams = { id: Id }

export const publishAsset = operation('POST /assets/:id/publish', {
  ...studio,
  summary: 'Publish the active version',
  description: 'Publishing a published version again changes nothing.',
  auth: { session: { permission: 'STUDIO_PUBLISH' } },
  params: assetParams,
  reply: Asset,
  status: 201,
  errors: ['ASSET_NOT_FOUND', 'ASSET_ACCESS_DENIED', 'ASSET_ARCHIVED'],
})

export const archiveAsset = operation('POST /assets/:id/archive', {
  ...studio,
  summary: 'Archive an asset',
  description:
    'An archived asset can be read and used but not changed. Its marketplace entry is withdrawn. Requires ADMIN access.',
  auth: edit,
  params: assetParams,
  reply: Asset,
  status: 201,
  errors: ['ASSET_NOT_FOUND', 'ASSET_ACCESS_DENIED'],
})

export const unarchiveAsset = operation('POST /assets/:id/unarchive', {
  ...studio,
  summary: 'Unarchive an asset',
  description:
    'The asset becomes PUBLISHED if a version was ever published, otherwise DRAFT. Requires ADMIN access.',
  auth: edit,
  params: assetParams,
  reply: Asset,
  status: 201,
  errors: ['ASSET_NOT_FOUND', 'ASSET_ACCESS_DENIED'],
})

export const verifyAsset = operation('POST /assets/:id/verify', {
  ...studio,
  summary: 'Verify the active version',
  description:
    'Verification belongs to the version: the asset is verified until another version becomes active or the content changes.',
  auth: { session: { permission: 'STUDIO_VERIFY' } },
  params: assetParams,
  reply: AssetVerified,
  status: 201,
  errors: ['ASSET_NOT_FOUND', 'ASSET_ARCHIVED'],
})

export const transferAsset = operation('POST /assets/:id/transfer', {
  ...studio,
  summary: 'Transfer an asset to another author',
  description:
    'The new author gets full access to the asset and its marketplace entry. The former author keeps only the access ' +
    'that visibility and shares grant. Allowed for the author and for administrators of the organization.',
  auth: edit,
  params: assetParams,
  body: { authorId: Id },
  reply: Type.Object({ id: Id, author: Author }),
  status: 201,
  errors: ['ASSET_NOT_FOUND', 'ASSET_ACCESS_DENIED', 'AUTHOR_UNKNOWN'],
})

export const transferAssetsOf = operation('POST /authors/:personId/transfer', {
  ...studio,
  summary: 'Transfer all assets of a current or former member to another author',
  description:
    `Transfers at most ${limits.assetsPerHandOver} assets in one call. Repeat the call until \`remaining\` is 0. Allowed ` +
    'for administrators of the organization.',
  auth: { session: { permission: 'ORG_MANAGE' } },
  params: { personId: Id },
  body: { authorId: Id },
  reply: Type.Object({
    transferred: Type.Integer(),
    remaining: Type.Integer({ description: 'Assets that the former author still has' }),
  }),
  errors: ['MEMBER_NOT_FOUND', 'AUTHOR_UNKNOWN', 'PERMISSION_DENIED'],
})

/** A deleted asset that can be restored. */
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
    'Ordered by deletion time, most recent first. Administrators see the deleted assets of the whole organization. Others ' +
    'see the assets that they wrote or deleted and have ADMIN access to.',
  auth: { session: { permission: 'STUDIO_DELETE' } },
  query: pageQuery,
  reply: Page(DeletedAsset),
})

export const restoreAsset = operation('POST /assets/:id/restore', {
  ...studio,
  summary: 'Restore a deleted asset',
  description:
    `Restores the asset within ${limits.deletedAssetDays} days, with its status, slug, versions, files, collections, ` +
    'links, shares and counters. Its marketplace entry stays withdrawn; submit the asset again. The stream sends ' +
    '`asset-created` with `restored`. Restoring an asset that is not deleted changes nothing. Requires the same access ' +
    'as deleting.',
  auth: { session: { permission: 'STUDIO_DELETE' } },
  params: assetParams,
  reply: Asset,
  status: 201,
  errors: ['ASSET_NOT_FOUND', 'ASSET_ACCESS_DENIED'],
})

export const purgeAsset = operation('DELETE /assets/deleted/:id', {
  ...studio,
  summary: 'Remove a deleted asset permanently',
  description:
    'Removes a deleted asset at once, with its versions, files, links, shares and uses. It cannot be restored, and its ' +
    'slugs become free. Requires the same access as deleting.',
  auth: { session: { permission: 'STUDIO_DELETE' } },
  params: assetParams,
  errors: ['ASSET_NOT_FOUND', 'ASSET_ACCESS_DENIED'],
})
