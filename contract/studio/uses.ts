import Type from 'typebox'
import { limits } from '../limits.ts'
import { endpoint } from '../operation.ts'
import { Id, Text } from '../shapes.ts'

export const AssetUsed = Type.Object({ id: Id, usageCount: Type.Integer() })
export const AssetReacted = Type.Object({ id: Id, thumbsUp: Type.Integer(), thumbsDown: Type.Integer() })

const studio = { area: 'studio', module: 'studio' } as const
const view = { people: { permission: 'STUDIO_VIEW' } } as const
const one = { id: Id }

/** Keeps USE-1 to USE-3. */
export const useAsset = endpoint('POST /assets/:id/use', {
  ...studio,
  summary: 'Record a use',
  doors: view,
  params: one,
  body: {
    entityType: Type.Optional(Text(limits.entityType)),
    entityId: Type.Optional(Text(limits.entityId)),
  },
  bodyOptional: true,
  reply: AssetUsed,
  status: 201,
  errors: ['ASSET_NOT_FOUND'],
})

/** Keeps USE-4 to USE-9. */
export const thumbsUpAsset = endpoint('POST /assets/:id/thumbs-up', {
  ...studio,
  summary: 'Positive reaction',
  doors: view,
  params: one,
  reply: AssetReacted,
  status: 201,
  errors: ['ASSET_NOT_FOUND'],
})

export const thumbsDownAsset = endpoint('POST /assets/:id/thumbs-down', {
  ...studio,
  summary: 'Negative reaction',
  doors: view,
  params: one,
  reply: AssetReacted,
  status: 201,
  errors: ['ASSET_NOT_FOUND'],
})
