import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Nullable, OneOf, Page, pageQuery, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { Author, accessLevels } from './assets.ts'

export const granteeTypes = ['USER', 'GROUP', 'DEPARTMENT'] as const
export type GranteeType = (typeof granteeTypes)[number]

const share = {
  id: Id,
  assetId: Id,
  granteeType: OneOf(granteeTypes),
  granteeId: Id,
  granteeName: Type.String(),
  accessLevel: OneOf(accessLevels),
  expiresAt: Nullable(Time),
  sharedBy: Author,
  createdAt: Time,
}
/** Access to an asset that one person, group or department has beyond its visibility. */
export const Share = Type.Object(share)
export type Share = Static<typeof Share>

const studio = { area: 'studio', module: 'studio' } as const
const auth = { session: { permission: 'STUDIO_SHARE' } } as const
const grantee = { granteeType: OneOf(granteeTypes), granteeId: Id }
const ofAsset = { id: Id }

/** Keeps SHR-1 to SHR-6. */
export const createShare = operation('POST /assets/:id/shares', {
  ...studio,
  summary: 'Share an asset with people, groups or departments',
  description:
    'Takes one grantee, or several in `grantees`. An existing share gets the new level and expiry. Callers cannot grant ' +
    'more access than they have, or for longer. Returns the first share, with all of them in `shares`. People who leave ' +
    'the organization lose their shares for good, even when they rejoin.',
  auth,
  params: ofAsset,
  body: {
    granteeType: Type.Optional(OneOf(granteeTypes)),
    granteeId: Type.Optional(Id),
    grantees: Type.Optional(
      Type.Array(Type.Object(grantee, { additionalProperties: false }), {
        minItems: 1,
        maxItems: limits.granteesPerShare,
      }),
    ),
    accessLevel: Type.Optional(OneOf(accessLevels, { description: 'Default: READ' })),
    expiresAt: Type.Optional(
      Nullable({
        ...Time,
        description: `At most ${limits.shareDays} days ahead; null for no expiry`,
      } as typeof Time),
    ),
  },
  reply: Type.Object({ ...share, shares: Type.Array(Share) }),
  status: 201,
  errors: [
    'ASSET_NOT_FOUND',
    'ASSET_ACCESS_DENIED',
    'ASSET_ARCHIVED',
    'GRANTEE_UNKNOWN',
    'SHARE_ABOVE_OWN_LEVEL',
    'TOO_MANY_SHARES',
  ],
})

/** Keeps SHR-10. */
export const listShares = operation('GET /assets/:id/shares', {
  ...studio,
  summary: 'List the shares of an asset',
  description: 'Newest first, without expired shares. Requires EDIT access to the asset.',
  auth,
  params: ofAsset,
  query: pageQuery,
  reply: Page(Share),
  errors: ['ASSET_NOT_FOUND', 'ASSET_ACCESS_DENIED'],
})

/** Keeps SHR-4 and SHR-9. */
export const removeShare = operation('DELETE /assets/:id/shares/:shareId', {
  ...studio,
  summary: 'Revoke a share',
  auth,
  params: { id: Id, shareId: Id },
  errors: [
    'ASSET_NOT_FOUND',
    'ASSET_ACCESS_DENIED',
    'ASSET_ARCHIVED',
    'SHARE_NOT_FOUND',
    'SHARE_ABOVE_OWN_LEVEL',
  ],
})
