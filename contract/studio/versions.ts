import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { FreeObject, Id, Nullable, OneOf, Page, pageQuery, Text, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { Author, FrontmatterInput, FrontmatterText, SemanticVersion } from './assets.ts'

export const versionBumps = ['major', 'minor', 'patch'] as const
export type VersionBump = (typeof versionBumps)[number]

/** A version in a path: an exact number, `current` (the active version) or `latest` (the highest number). */
export const VersionRef = Type.String({ minLength: 1, maxLength: limits.assetVersion })

const item = {
  id: Id,
  assetId: Id,
  version: Type.String(),
  changelog: Nullable(Type.String()),
  description: Type.String(),
  contentHash: Type.String({ description: 'SHA-256 of description, body and front matter' }),
  filesCount: Type.Integer(),
  totalBytes: Type.Integer({ description: 'Size of all attachments in bytes' }),
  isCurrent: Type.Boolean({ description: 'The active version' }),
  createdBy: Author,
  createdAt: Time,
  publishedAt: Nullable(Time),
  publishedBy: Nullable(Author),
  restoredFrom: Nullable(Type.String({ description: 'The version that this rollback restored' })),
}

/** A version in the history, without its content. */
export const VersionItem = Type.Object(item)
/** A version with its content. */
export const Version = Type.Object({
  ...item,
  bodyMarkdown: Type.String(),
  frontmatter: FreeObject,
  frontmatterText: FrontmatterText,
})
export type VersionItem = Static<typeof VersionItem>
export type Version = Static<typeof Version>

const Run = Type.Object({
  kind: OneOf(['same', 'added', 'removed']),
  lines: Type.Array(Type.String(), { description: 'Consecutive lines without their line feeds' }),
})
export const Hunk = Type.Object(
  {
    fromLine: Type.Integer({ description: 'First line of the hunk in the first version, counted from 1' }),
    toLine: Type.Integer({ description: 'First line of the hunk in the second version, counted from 1' }),
    runs: Type.Array(Run),
  },
  {
    description: `A group of changes with up to ${limits.differenceContext} unchanged lines around it`,
  },
)
export const TextDifference = Type.Object({
  added: Type.Integer({ description: 'Lines that are only in the second version' }),
  removed: Type.Integer({ description: 'Lines that are only in the first version' }),
  isComplete: Type.Boolean({
    description:
      `False when the comparison is too large: more than ${limits.differenceEdits} common lines differ in order or ` +
      `number, or there are more than ${limits.differenceLines} lines to compare. Everything between the common start ` +
      'and the common end is then reported as removed and added',
  }),
  hunks: Type.Array(Hunk),
})
const FieldDifference = Type.Object({
  path: Type.String({ description: 'JSON pointer of the field; lists are compared by index' }),
  kind: OneOf(['added', 'removed', 'changed']),
  before: Type.Optional(Type.Unknown()),
  after: Type.Optional(Type.Unknown()),
})
const FileDifference = Type.Object({
  path: Type.String(),
  kind: OneOf(['added', 'removed', 'changed', 'renamed'], {
    description: 'renamed: the same content under another path',
  }),
  previousPath: Nullable(Type.String()),
  sizeBefore: Nullable(Type.Integer({ description: 'Bytes' })),
  sizeAfter: Nullable(Type.Integer({ description: 'Bytes' })),
})

/** The differences between two versions: lines of the texts (null: equal), front matter and files. */
export const VersionDifference = Type.Object({
  from: Type.String({ description: 'The number of the first version' }),
  to: Type.String({ description: 'The number of the second version' }),
  isSame: Type.Boolean(),
  description: Nullable(TextDifference),
  bodyMarkdown: Nullable(TextDifference),
  frontmatter: Type.Array(FieldDifference, {
    description: `An object or list with more than ${limits.differenceFields} differences is reported as one change`,
  }),
  files: Type.Array(FileDifference, { description: 'Ordered by path' }),
})
export type TextDifference = Static<typeof TextDifference>
export type FieldDifference = Static<typeof FieldDifference>
export type FileDifference = Static<typeof FileDifference>
export type VersionDifference = Static<typeof VersionDifference>

const studio = { area: 'studio', module: 'studio' } as const
const view = { session: { permission: 'STUDIO_VIEW' } } as const
const edit = { session: { permission: 'STUDIO_EDIT' } } as const
const ofAsset = { id: Id }
const versionParams = { id: Id, version: VersionRef }

/** Keeps VER-5. */
export const listVersions = operation('GET /assets/:id/versions', {
  ...studio,
  summary: 'List the versions of an asset',
  description: 'Ordered by creation, newest first.',
  auth: view,
  params: ofAsset,
  query: pageQuery,
  reply: Page(VersionItem),
  errors: ['ASSET_NOT_FOUND'],
})

/** Keeps VER-6. */
export const readVersion = operation('GET /assets/:id/versions/:version', {
  ...studio,
  summary: 'Get a version',
  description: '`:version` is an exact number, `current` or `latest`.',
  auth: view,
  params: versionParams,
  reply: Version,
  errors: ['ASSET_NOT_FOUND', 'VERSION_NOT_FOUND'],
})

/** Keeps VER-7 to VER-10. */
export const createVersion = operation('POST /assets/:id/versions', {
  ...studio,
  summary: 'Create a version',
  description:
    'Omitted fields are taken from the active version, attachments by reference. Without `version`, `bump` (default: ' +
    'patch) determines the number. It follows the highest number with the same major and minor number as the active ' +
    'version for a patch, with the same major number for a minor version. A number is never used twice: the reply 409 ' +
    'contains `version`, its `contentHash`, and `nextVersion`, which is free.',
  auth: edit,
  params: ofAsset,
  body: {
    version: Type.Optional(SemanticVersion),
    bump: Type.Optional(OneOf(versionBumps, { description: 'Ignored when `version` is given' })),
    changelog: Type.Optional(Text(limits.assetChangelog)),
    description: Type.Optional(Text(limits.assetDescription)),
    bodyMarkdown: Type.Optional(Text(limits.assetBody)),
    frontmatter: Type.Optional(FreeObject),
    frontmatterText: Type.Optional(FrontmatterInput),
    copyFiles: Type.Optional(
      Type.Boolean({ description: 'Keep the attachments of the active version. Default: true' }),
    ),
    setCurrent: Type.Optional(
      Type.Boolean({
        description:
          'Make this the active version. Default: true. With false, `activate` can make it active later',
      }),
    ),
  },
  reply: Version,
  status: 201,
  errors: ['ASSET_NOT_FOUND', 'ASSET_ACCESS_DENIED', 'ASSET_ARCHIVED', 'VERSION_EXISTS'],
})

/** Keeps VER-12 to VER-14. */
export const rollbackVersion = operation('POST /assets/:id/versions/:version/rollback', {
  ...studio,
  summary: 'Roll back to an earlier version',
  description:
    'Creates the next patch version with the content and attachments of the earlier version and makes it active. ' +
    '`restoredFrom` names the earlier version. `publish` also publishes the new version and requires STUDIO_PUBLISH. ' +
    'Rolling back to the active version creates a new version as well.',
  auth: edit,
  params: versionParams,
  body: {
    changelog: Type.Optional(Text(limits.assetChangelog)),
    publish: Type.Optional(Type.Boolean()),
  },
  bodyOptional: true,
  reply: Version,
  status: 201,
  errors: [
    'ASSET_NOT_FOUND',
    'ASSET_ACCESS_DENIED',
    'ASSET_ARCHIVED',
    'VERSION_NOT_FOUND',
    'PERMISSION_DENIED',
  ],
})

export const activateVersion = operation('POST /assets/:id/versions/:version/activate', {
  ...studio,
  summary: 'Make a version the active one',
  description:
    'The version keeps its number, content, attachments and publication time, and the history does not change. ' +
    'Activating the active version changes nothing. Use `rollback` to restore an earlier version under a new number.',
  auth: edit,
  params: versionParams,
  reply: Version,
  status: 201,
  errors: ['ASSET_NOT_FOUND', 'ASSET_ACCESS_DENIED', 'ASSET_ARCHIVED', 'VERSION_NOT_FOUND'],
})

export const diffVersions = operation('GET /assets/:id/versions/:a/diff/:b', {
  ...studio,
  summary: 'Compare two versions',
  description:
    '`:a` and `:b` are exact numbers, `current` or `latest`. `:a` is treated as the earlier version.',
  auth: view,
  params: { id: Id, a: VersionRef, b: VersionRef },
  reply: VersionDifference,
  errors: ['ASSET_NOT_FOUND', 'VERSION_NOT_FOUND'],
})
