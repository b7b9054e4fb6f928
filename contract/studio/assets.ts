import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { FreeObject, Id, Name, Named, Nullable, OneOf, pageQuery, SearchPage, Text, Time } from '../shapes.ts'
import { Type } from '../type.ts'

export const assetTypes = ['PROMPT', 'SKILL', 'AGENT', 'COMMAND', 'PLUGIN'] as const
export const AssetType = OneOf(assetTypes)
export const assetStatuses = ['DRAFT', 'PUBLISHED', 'ARCHIVED'] as const
export const AssetStatus = OneOf(assetStatuses)
export const visibilities = ['PRIVATE', 'DEPARTMENT', 'WORKSPACE', 'ORGANIZATION', 'MARKETPLACE'] as const
export const AssetVisibility = OneOf(visibilities)
export const accessLevels = ['READ', 'EDIT', 'ADMIN'] as const
export const assetOrders = ['popular', 'recent', 'name'] as const
export const reactions = ['POSITIVE', 'NEGATIVE'] as const

export type AssetType = (typeof assetTypes)[number]
export type AssetStatus = (typeof assetStatuses)[number]
export type Visibility = (typeof visibilities)[number]
export type AccessLevel = (typeof accessLevels)[number]
export type AssetOrder = (typeof assetOrders)[number]

/** Lower-case words of letters and digits, joined by single hyphens. Also the name of an exported skill. */
export const Slug = Named(
  Type.String({
    pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
    maxLength: limits.assetSlug,
    description: 'Lower-case letters, digits and single hyphens',
  }),
)

const numeric = '(?:0|[1-9]\\d{0,8})'
const prerelease = '(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)'
/** A semantic version without build metadata, which has no precedence (VER-1). */
export const SemanticVersion = Named(
  Type.String({
    pattern: `^${numeric}\\.${numeric}\\.${numeric}(?:-${prerelease}(?:\\.${prerelease})*)?$`,
    maxLength: limits.assetVersion,
    description: 'Semantic version, such as 1.4.0',
  }),
)

const AssetName = Name(limits.assetName)
export const Tags = Named(
  Type.Array(Type.String({ minLength: 1, maxLength: limits.assetTag, pattern: '\\S' }), {
    maxItems: limits.assetTags,
    description: 'Labels, stored in lower case without duplicates',
  }),
)
const Departments = Type.Array(Id, {
  maxItems: limits.assetDepartments,
  description: 'The departments that may read the asset when its visibility is DEPARTMENT',
})
const IconName = Nullable(Text(limits.assetIconName))
const Color = Nullable(
  Type.String({ maxLength: limits.assetColor, description: 'An HSL value or a color token' }),
)
export const Author = Type.Object({ id: Id, name: Type.String() })

/** The active version. `publishedAt` is null while it is not published. */
const CurrentVersion = Type.Object({ version: Type.String(), publishedAt: Nullable(Time) })

const created = {
  id: Id,
  type: OneOf(assetTypes),
  slug: Slug,
  name: Type.String(),
  status: OneOf(assetStatuses),
  visibility: OneOf(visibilities),
  currentVersionId: Id,
  currentVersion: CurrentVersion,
  createdAt: Time,
}

/** The reply of creation (AST-4). */
export const AssetCreated = Type.Object(created)

const item = {
  ...created,
  description: Type.String(),
  iconName: Nullable(Type.String()),
  color: Nullable(Type.String()),
  departments: Type.Array(Id),
  collectionIds: Type.Array(Id),
  tags: Type.Array(Type.String()),
  version: Type.String({ description: 'The active version, as in currentVersion' }),
  publishedVersion: Nullable(Type.String({ description: 'The last published version' })),
  verified: Type.Boolean({ description: 'Whether the active version is verified' }),
  usageCount: Type.Integer(),
  thumbsUp: Type.Integer(),
  thumbsDown: Type.Integer(),
  myReaction: Nullable(OneOf(reactions)),
  access: OneOf(accessLevels, { description: "The caller's access level" }),
  author: Author,
  updatedAt: Time,
}

/** Front matter as YAML in a request, instead of `frontmatter`. */
export const FrontmatterInput = Type.String({
  maxLength: limits.frontmatterCharacters,
  description:
    'The front matter as YAML, instead of `frontmatter`. Its comments and the spelling of its values are preserved',
})
/** Front matter as YAML in a reply. */
export const FrontmatterText = Type.String({
  description: 'The front matter as YAML, with the comments of its author',
})

/** An asset in a list, without its content. */
export const AssetItem = Type.Object(item)

/** An asset with its active content. */
export const Asset = Type.Object({
  ...item,
  bodyMarkdown: Type.String(),
  frontmatter: FreeObject,
  frontmatterText: FrontmatterText,
})

export type AssetItem = Static<typeof AssetItem>
export type Asset = Static<typeof Asset>

const studio = { area: 'studio', module: 'studio' } as const
const view = { session: { permission: 'STUDIO_VIEW' } } as const
const edit = { session: { permission: 'STUDIO_EDIT' } } as const
const assetParams = { id: Id }

/** Keeps AST-1 to AST-6. */
export const createAsset = operation('POST /assets', {
  ...studio,
  summary: 'Create an asset',
  description: 'The asset starts as a DRAFT with a first version. Its slug is derived from the name.',
  auth: { session: { permission: 'STUDIO_CREATE' } },
  body: {
    type: OneOf(assetTypes),
    name: AssetName,
    description: Type.Optional(Text(limits.assetDescription)),
    bodyMarkdown: Type.Optional(Text(limits.assetBody)),
    frontmatter: Type.Optional(FreeObject),
    iconName: Type.Optional(IconName),
    color: Type.Optional(Color),
    visibility: Type.Optional(OneOf(visibilities, { default: 'PRIVATE' })),
    departments: Type.Optional(Departments),
    collectionIds: Type.Optional(Type.Array(Id, { maxItems: limits.assetCollections })),
    tags: Type.Optional(Tags),
    version: Type.Optional(SemanticVersion),
  },
  reply: AssetCreated,
  status: 201,
  errors: ['DEPARTMENT_UNKNOWN', 'COLLECTION_NOT_FOUND'],
})

/** Keeps CAT-1 to CAT-11. */
export const listAssets = operation('GET /assets', {
  ...studio,
  summary: 'List assets with filters',
  description:
    'Lists the assets that the caller may read. Archived assets are listed only with `status=ARCHIVED`. With `search`, ' +
    `the best matches come first unless \`orderBy\` is given. A search, and a list with a \`tag\`, list and count at most ` +
    `${limits.searchTotal} assets; \`totalIsBound\` is true when there are more.`,
  auth: view,
  query: {
    type: Type.Optional(OneOf(assetTypes)),
    status: Type.Optional(OneOf(assetStatuses)),
    visibility: Type.Optional(OneOf(visibilities)),
    collectionId: Type.Optional(Id),
    entityType: Type.Optional(Text(limits.entityType, 1)),
    entityId: Type.Optional(Text(limits.entityId, 1)),
    authorId: Type.Optional(Id),
    tag: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: limits.assetTag,
        pattern: '\\S',
        description: 'A whole tag, without regard to case',
      }),
    ),
    search: Type.Optional(Text(limits.search)),
    orderBy: Type.Optional(
      OneOf(assetOrders, {
        description: 'Default: popular, or the best matches first when `search` is given',
      }),
    ),
    ...pageQuery,
  },
  reply: SearchPage(AssetItem),
})

/** Keeps AST-14 and AST-15. */
export const readAssetBySlug = operation('GET /assets/by-slug/:slug', {
  ...studio,
  summary: 'Get an asset by its current or a former slug',
  description: 'A former slug returns 301 with the current address in `Location`.',
  auth: view,
  params: { slug: Type.String({ minLength: 1, maxLength: limits.id }) },
  reply: Asset,
  responseType: 'redirect',
  errors: ['ASSET_NOT_FOUND'],
})

export const readAsset = operation('GET /assets/:id', {
  ...studio,
  summary: 'Get an asset',
  auth: view,
  params: assetParams,
  reply: Asset,
  errors: ['ASSET_NOT_FOUND'],
})

export const updateAsset = operation('PATCH /assets/:id', {
  ...studio,
  summary: 'Update an asset',
  description:
    'A change of `bodyMarkdown`, `frontmatter` or `description` creates the next patch version, which becomes the ' +
    'active version and is unpublished. With `amend`, the change rewrites the active version instead, as long as that ' +
    'version is unpublished. A new `name` gives a new slug; the former slug still leads to the asset. Changing ' +
    '`visibility` or `departments` requires ADMIN access.',
  auth: edit,
  params: assetParams,
  body: {
    name: Type.Optional(AssetName),
    slug: Type.Optional(Slug),
    description: Type.Optional(Text(limits.assetDescription)),
    bodyMarkdown: Type.Optional(Text(limits.assetBody)),
    frontmatter: Type.Optional(FreeObject),
    frontmatterText: Type.Optional(FrontmatterInput),
    iconName: Type.Optional(IconName),
    color: Type.Optional(Color),
    visibility: Type.Optional(OneOf(visibilities)),
    departments: Type.Optional(Departments),
    tags: Type.Optional(Tags),
    changelog: Type.Optional(Text(limits.assetChangelog)),
    amend: Type.Optional(Type.Boolean()),
    expectedUpdatedAt: Type.Optional(Time),
  },
  reply: Asset,
  errors: [
    'ASSET_NOT_FOUND',
    'ASSET_ACCESS_DENIED',
    'ASSET_ARCHIVED',
    'ASSET_UPDATE_CONFLICT',
    'SLUG_CONFLICT',
    'DEPARTMENT_UNKNOWN',
  ],
})

export const removeAsset = operation('DELETE /assets/:id', {
  ...studio,
  summary: 'Delete an asset',
  description:
    'Deletes the asset immediately and withdraws its marketplace entry. The asset can be restored for ' +
    `${limits.deletedAssetDays} days.`,
  auth: { session: { permission: 'STUDIO_DELETE' } },
  params: assetParams,
  errors: ['ASSET_NOT_FOUND', 'ASSET_ACCESS_DENIED'],
})

export const duplicateAsset = operation('POST /assets/:id/duplicate', {
  ...studio,
  summary: 'Duplicate an asset',
  description:
    'Creates a PRIVATE DRAFT that belongs to the caller, with the active content as version 1.0.0.',
  auth: { session: { permission: 'STUDIO_CREATE' } },
  params: assetParams,
  body: { name: Type.Optional(AssetName) },
  bodyOptional: true,
  reply: AssetCreated,
  status: 201,
  errors: ['ASSET_NOT_FOUND'],
})
