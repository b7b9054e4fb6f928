import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Name, Nullable, OneOf, Page, pageQuery, Text, Time } from '../shapes.ts'
import { AssetItem, assetOrders, assetStatuses, assetTypes } from './assets.ts'

/** A folder of the catalogue. It gives no access to what is filed in it. */
export const Collection = Type.Object({
  id: Id,
  name: Type.String(),
  description: Type.String(),
  parentId: Nullable(Id),
  iconName: Nullable(Type.String()),
  color: Nullable(Type.String()),
  position: Type.Integer({ description: 'Order among its siblings, then by name' }),
  ownerId: Id,
  assetCount: Type.Integer({
    description: 'Assets filed directly in it that the caller may read, without archived ones',
  }),
  childCount: Type.Integer(),
  path: Type.Array(Type.Object({ id: Id, name: Type.String() }), {
    description: 'From the top to this collection',
  }),
  createdAt: Time,
  updatedAt: Time,
})
export type Collection = Static<typeof Collection>

const Filing = Type.Object({ collectionId: Id, assetId: Id, addedAt: Time })

const studio = { area: 'studio', module: 'studio' } as const
const view = { session: { permission: 'STUDIO_VIEW' } } as const
const edit = { session: { permission: 'STUDIO_EDIT' } } as const
const one = { id: Id }
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
    'By position, then name. `parentId` narrows to the children of one, `parentId=root` to the top; `tree` gives ' +
    'them in the order of the tree: each followed by what it holds.',
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
  description: 'Collections at one place have different names; case and accents make no difference.',
  auth: { session: { permission: 'STUDIO_CREATE' } },
  body: { name: Name(limits.collectionName), parentId: Type.Optional(Parent), ...described },
  reply: Collection,
  status: 201,
  errors: ['COLLECTION_NOT_FOUND', 'COLLECTION_NAME_TAKEN', 'COLLECTION_TOO_DEEP', 'TOO_MANY_COLLECTIONS'],
})

/** Keeps COL-1 to COL-3. */
export const readCollection = operation('GET /collections/:id', {
  ...studio,
  summary: 'Collection detail',
  auth: view,
  params: one,
  reply: Collection,
  errors: ['COLLECTION_NOT_FOUND'],
})

/** Keeps COL-6. */
export const updateCollection = operation('PATCH /collections/:id', {
  ...studio,
  summary: 'Modify a collection',
  description: 'Another `parentId` moves it with everything below it; null moves it to the top.',
  auth: edit,
  params: one,
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
    'What is filed in it is only unfiled, which is announced for up to ' +
    `${limits.unfiledAnnounced} of these assets. One that holds collections is not deleted: 409.`,
  auth: { session: { permission: 'STUDIO_DELETE' } },
  params: one,
  errors: ['COLLECTION_NOT_FOUND', 'COLLECTION_HAS_CHILDREN'],
})

/** Keeps COL-11. */
export const addToCollection = operation('POST /collections/:id/assets', {
  ...studio,
  summary: 'Add an asset to a collection',
  description: 'Adding it again changes nothing. Takes read access to the asset.',
  auth: edit,
  params: one,
  body: { assetId: Id },
  reply: Filing,
  status: 201,
  errors: ['COLLECTION_NOT_FOUND', 'ASSET_NOT_FOUND', 'TOO_MANY_COLLECTIONS'],
})

/** Keeps COL-12. */
export const removeFromCollection = operation('DELETE /collections/:id/assets/:assetId', {
  ...studio,
  summary: 'Remove an asset from a collection',
  description: 'Removing one that is not filed there changes nothing. Takes read access to the asset.',
  auth: edit,
  params: { id: Id, assetId: Id },
  errors: ['COLLECTION_NOT_FOUND', 'ASSET_NOT_FOUND'],
})

/** Keeps COL-14. */
export const listCollectionAssets = operation('GET /collections/:id/assets', {
  ...studio,
  summary: 'Assets of a collection',
  description: 'Those that the caller may read. Archived ones are listed with status=ARCHIVED only.',
  auth: view,
  params: one,
  query: {
    type: Type.Optional(OneOf(assetTypes)),
    status: Type.Optional(OneOf(assetStatuses)),
    orderBy: Type.Optional(OneOf(assetOrders, { description: 'popular when absent' })),
    ...pageQuery,
  },
  reply: Page(AssetItem),
  errors: ['COLLECTION_NOT_FOUND'],
})
