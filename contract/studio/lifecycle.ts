import Type from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Id, Time } from '../shapes.ts'
import { Asset, Author } from './assets.ts'

export const AssetVerified = Type.Object({
  id: Id,
  verified: Type.Boolean(),
  verifiedAt: Time,
  verifiedBy: Author,
  verifiedVersion: Type.String(),
})
const studio = { area: 'studio', module: 'studio' } as const
const edit = { people: { permission: 'STUDIO_EDIT' } } as const
const one = { id: Id }

export const publishAsset = endpoint('POST /assets/:id/publish', {
  ...studio,
  summary: 'Publish the active version',
  description: 'Publishing what is published already changes nothing.',
  doors: { people: { permission: 'STUDIO_PUBLISH' } },
  params: one,
  reply: Asset,
  status: 201,
  errors: ['ASSET_NOT_FOUND', 'ASSET_ACCESS_DENIED', 'ASSET_ARCHIVED'],
})

export const archiveAsset = endpoint('POST /assets/:id/archive', {
  ...studio,
  summary: 'Archive an asset',
  description: 'An archived asset can be read and used but not changed. Takes administration access.',
  doors: edit,
  params: one,
  reply: Asset,
  status: 201,
  errors: ['ASSET_NOT_FOUND', 'ASSET_ACCESS_DENIED'],
})

export const unarchiveAsset = endpoint('POST /assets/:id/unarchive', {
  ...studio,
  summary: 'Take an asset out of the archive',
  description: 'It is PUBLISHED again if it was ever published, else DRAFT. Takes administration access.',
  doors: edit,
  params: one,
  reply: Asset,
  status: 201,
  errors: ['ASSET_NOT_FOUND', 'ASSET_ACCESS_DENIED'],
})

export const verifyAsset = endpoint('POST /assets/:id/verify', {
  ...studio,
  summary: 'Mark as verified',
  description:
    'The mark belongs to the active version: the asset shows it until another version is active or its content changes.',
  doors: { people: { permission: 'STUDIO_VERIFY' } },
  params: one,
  reply: AssetVerified,
  status: 201,
  errors: ['ASSET_NOT_FOUND', 'ASSET_ARCHIVED'],
})
