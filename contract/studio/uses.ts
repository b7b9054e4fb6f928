import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Text } from '../shapes.ts'
import { Type } from '../type.ts'

export const AssetUsed = Type.Object({ id: Id, usageCount: Type.Integer() })
export const AssetReacted = Type.Object({ id: Id, thumbsUp: Type.Integer(), thumbsDown: Type.Integer() })

const studio = { area: 'studio', module: 'studio' } as const
const view = { session: { permission: 'STUDIO_VIEW' } } as const
const assetParams = { id: Id }

/** Keeps USE-1 to USE-3. */
export const useAsset = operation('POST /assets/:id/use', {
  ...studio,
  summary: 'Record a use of an asset',
  auth: view,
  params: assetParams,
  body: {
    entityType: Type.Optional(Text(limits.entityType)),
    entityId: Type.Optional(Text(limits.entityId)),
  },
  bodyOptional: true,
  reply: AssetUsed,
  status: 201,
  errors: ['ASSET_NOT_FOUND'],
})

/** Keeps USE-11. */
export const countAssetUses = operation('GET /assets/:id/uses', {
  ...studio,
  summary: 'Count the uses of an asset by day',
  auth: view,
  params: assetParams,
  query: { days: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.assetUseDays, default: 30 })) },
  reply: Type.Object({
    days: Type.Array(
      Type.Object({
        day: Type.String(),
        uses: Type.Integer({ minimum: 0, maximum: limits.assetUsesPerDay }),
      }),
      {
        description: `The last days as YYYY-MM-DD in UTC, today last. Of each day, up to ${limits.assetUsesPerDay} uses are counted`,
      },
    ),
  }),
  errors: ['ASSET_NOT_FOUND'],
})

/** Keeps USE-4 to USE-9. */
export const thumbsUpAsset = operation('POST /assets/:id/thumbs-up', {
  ...studio,
  summary: 'React positively to an asset',
  auth: view,
  params: assetParams,
  reply: AssetReacted,
  status: 201,
  errors: ['ASSET_NOT_FOUND'],
})

export const thumbsDownAsset = operation('POST /assets/:id/thumbs-down', {
  ...studio,
  summary: 'React negatively to an asset',
  auth: view,
  params: assetParams,
  reply: AssetReacted,
  status: 201,
  errors: ['ASSET_NOT_FOUND'],
})
