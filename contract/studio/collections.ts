import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Name, Nullable, OneOf, Page, pageQuery, Text, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { AssetItem, assetOrders, assetStatuses, assetTypes } from './assets.ts'

/** A folder of the catalogue. It grants no access to the assets in it. */
export const Collection = Type.Object({
  id: Id,
  name: Type.String(),
  description: Type.String(),
  parentId: Nullable(Id),
  iconName: Nullable(Type.String()),
  color: Nullable(Type.String()),
  position: Type.Integer({
    description: 'Position among its siblings; siblings with the same position are ordered by name',
  }),
  ownerId: Id,
  assetCount: Type.Integer({
    description: 'Assets directly in the collection that the caller may read, without archived assets',
  }),
  childCount: Type.Integer(),
  path: Type.Array(Type.Object({ id: Id, name: Type.String() }), {
    description: 'The collections from the top level down to this one',
  }),
  createdAt: Time,
  updatedAt: Time,
})
export type Collection = Static<typeof Collection>

const Filing = Type.Object({ collectionId: Id, assetId: Id, addedAt: Time })

const studio = { area: 'studio', module: 'studio' } as const
const view = { session: { permission: 'STUDIO_VIEW' } } as const
const edit = { session: { permission: 'STUDIO_EDIT' } } as const
const collectionParams = { id: Id }
const described = {
  description: Type.Optional(Text(limits.collectionDescription)),
  iconName: Type.Optional(Nullable(Text(limits.assetIconName))),
  color: Type.Optional(Nullable(Text(limits.assetColor))),
  position: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
}
const Parent = Nullable(Id)

/** Keeps COL-7. */
export const listCollections = operation('GET /collections', {
  ...studio,
  summary: 'List collections',
  description:
    'Ordered by position, then name. `parentId` lists the children of one collection, `parentId=root` the top level. ' +
    'With `tree`, each collection is followed by the collections below it.',
  auth: view,
  query: {
    parentId: Type.Optional(Id),
    tree: Type.Optional(Type.Boolean()),
    ...pageQuery,
  },
  reply: Page(Collection),
  errors: ['COLLECTION_NOT_FOUND'],
})

/** Keeps COL-4, COL-5 and COL-15. */
export const createCollection = operation('POST /collections', {
  ...studio,
  summary: 'Create a collection',
  description: 'Names are unique among the children of a parent, ignoring case and accents.',
  auth: { session: { permission: 'STUDIO_CREATE' } },
  body: { name: Name(limits.collectionName), parentId: Type.Optional(Parent), ...described },
  reply: Collection,
  status: 201,
  errors: ['COLLECTION_NOT_FOUND', 'COLLECTION_NAME_TAKEN', 'COLLECTION_TOO_DEEP', 'TOO_MANY_COLLECTIONS'],
})

/** Keeps COL-1 to COL-3. */
export const readCollection = operation('GET /collections/:id', {
  ...studio,
  summary: 'Get a collection',
  auth: view,
  params: collectionParams,
  reply: Collection,
  errors: ['COLLECTION_NOT_FOUND'],
})

/** Keeps COL-6. */
export const updateCollection = operation('PATCH /collections/:id', {
  ...studio,
  summary: 'Update a collection',
  description:
    'A different `parentId` moves the collection with everything below it; null moves it to the top level.',
  auth: edit,
  params: collectionParams,
  body: {
    name: Type.Optional(Name(limits.collectionName)),
    parentId: Type.Optional(Parent),
    ...described,
  },
  reply: Collection,
  errors: ['COLLECTION_NOT_FOUND', 'COLLECTION_NAME_TAKEN', 'COLLECTION_TOO_DEEP', 'COLLECTION_CYCLE'],
})

/** Keeps COL-9 and COL-10. */
export const removeCollection = operation('DELETE /collections/:id', {
  ...studio,
  summary: 'Delete a collection',
  description:
    'Its assets are removed from the collection but not deleted. The stream sends an event for up to ' +
    `${limits.unfiledAnnounced} of them. A collection that contains other collections returns 409.`,
  auth: { session: { permission: 'STUDIO_DELETE' } },
  params: collectionParams,
  errors: ['COLLECTION_NOT_FOUND', 'COLLECTION_HAS_CHILDREN'],
})

/** Keeps COL-11. */
export const addToCollection = operation('POST /collections/:id/assets', {
  ...studio,
  summary: 'Add an asset to a collection',
  description: 'Adding an asset again changes nothing. Requires READ access to the asset.',
  auth: edit,
  params: collectionParams,
  body: { assetId: Id },
  reply: Filing,
  status: 201,
  errors: ['COLLECTION_NOT_FOUND', 'ASSET_NOT_FOUND', 'TOO_MANY_COLLECTIONS'],
})

/** Keeps COL-12. */
export const removeFromCollection = operation('DELETE /collections/:id/assets/:assetId', {
  ...studio,
  summary: 'Remove an asset from a collection',
  description:
    'Removing an asset that is not in the collection changes nothing. Requires READ access to the asset.',
  auth: edit,
  params: { id: Id, assetId: Id },
  errors: ['COLLECTION_NOT_FOUND', 'ASSET_NOT_FOUND'],
})

/** Keeps COL-14. */
export const listCollectionAssets = operation('GET /collections/:id/assets', {
  ...studio,
  summary: 'List the assets of a collection',
  description:
    'Lists the assets that the caller may read. Archived assets are listed only with `status=ARCHIVED`.',
  auth: view,
  params: collectionParams,
  query: {
    type: Type.Optional(OneOf(assetTypes)),
    status: Type.Optional(OneOf(assetStatuses)),
    orderBy: Type.Optional(OneOf(assetOrders, { description: 'Default: popular' })),
    ...pageQuery,
  },
  reply: Page(AssetItem),
  errors: ['COLLECTION_NOT_FOUND'],
})
