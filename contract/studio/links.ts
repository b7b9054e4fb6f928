import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Nullable, Page, pageQuery, Text, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { AssetItem, Author } from './assets.ts'

const link = {
  id: Id,
  assetId: Id,
  entityType: Type.String(),
  entityId: Type.String(),
  note: Nullable(Type.String()),
  createdBy: Author,
  createdAt: Time,
}
/** A link from an asset to an entity of another module, such as an opportunity or a ticket. */
export const Link = Type.Object(link)
export type Link = Static<typeof Link>

const studio = { area: 'studio', module: 'studio' } as const
const view = { session: { permission: 'STUDIO_VIEW' } } as const
const edit = { session: { permission: 'STUDIO_EDIT' } } as const

/** Keeps LNK-1 to LNK-4. */
export const createLink = operation('POST /assets/:id/links', {
  ...studio,
  summary: 'Link an asset to an entity',
  description: 'Creating the same link again returns the existing one. Requires EDIT access.',
  auth: edit,
  params: { id: Id },
  body: {
    entityType: Text(limits.entityType, 1),
    entityId: Text(limits.entityId, 1),
    note: Type.Optional(Text(limits.linkNote)),
  },
  reply: Link,
  status: 201,
  errors: ['ASSET_NOT_FOUND', 'ASSET_ACCESS_DENIED', 'ASSET_ARCHIVED', 'TOO_MANY_LINKS'],
})

/** Keeps LNK-5. */
export const listLinks = operation('GET /assets/:id/links', {
  ...studio,
  summary: 'List the links of an asset',
  description: 'Newest first.',
  auth: view,
  params: { id: Id },
  query: pageQuery,
  reply: Page(Link),
  errors: ['ASSET_NOT_FOUND'],
})

/** Keeps LNK-4 and LNK-7. */
export const removeLink = operation('DELETE /assets/:id/links/:linkId', {
  ...studio,
  summary: 'Delete a link',
  auth: edit,
  params: { id: Id, linkId: Id },
  errors: ['ASSET_NOT_FOUND', 'ASSET_ACCESS_DENIED', 'ASSET_ARCHIVED', 'LINK_NOT_FOUND'],
})

/** Keeps LNK-6. */
export const listByEntity = operation('GET /links/by-entity', {
  ...studio,
  summary: 'List the assets linked to an entity',
  description: 'Newest link first. Lists the assets that the caller may read, including archived ones.',
  auth: view,
  query: {
    entityType: Text(limits.entityType, 1),
    entityId: Text(limits.entityId, 1),
    ...pageQuery,
  },
  reply: Page(Type.Object({ linkId: Id, note: Nullable(Type.String()), linkedAt: Time, asset: AssetItem })),
})
