import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { FreeObject, Id, Nullable, OneOf, Page, pageQuery, Text, Time } from '../shapes.ts'
import { Author, SemanticVersion } from './assets.ts'

export const versionBumps = ['major', 'minor', 'patch'] as const
export type VersionBump = (typeof versionBumps)[number]

/** A version in an address: an exact number, `current` (the active one) or `latest` (the highest number). */
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
  restoredFrom: Nullable(Type.String({ description: 'The version that a rollback restored' })),
}

/** A version in the history: everything but its content. */
export const VersionItem = Type.Object(item)
/** A version with its content. */
export const Version = Type.Object({ ...item, bodyMarkdown: Type.String(), frontmatter: FreeObject })
export type VersionItem = Static<typeof VersionItem>
export type Version = Static<typeof Version>

const Run = Type.Object({
  kind: OneOf(['same', 'added', 'removed']),
  lines: Type.Array(Type.String(), { description: 'Lines that follow each other, without their line feeds' }),
})
export const Hunk = Type.Object(
  {
    fromLine: Type.Integer({ description: 'Where it begins in the first version; lines count from 1' }),
    toLine: Type.Integer({ description: 'Where it begins in the second version' }),
    runs: Type.Array(Run),
  },
  {
    description: `A stretch of changes with up to ${limits.differenceContext} lines that are the same around it`,
  },
)
export const TextDifference = Type.Object({
  added: Type.Integer({ description: 'Lines that only the second version has' }),
  removed: Type.Integer({ description: 'Lines that only the first version has' }),
  isComplete: Type.Boolean({
    description:
      `False when more than ${limits.differenceEdits} of the lines that both versions have stand in another ` +
      `order or number, or more than ${limits.differenceLines} lines are to be compared: what lies between the ` +
      'common beginning and the common end is then told whole, as removed and as added',
  }),
  hunks: Type.Array(Hunk),
})
const FieldDifference = Type.Object({
  path: Type.String({ description: 'JSON pointer of the field; lists are compared place by place' }),
  kind: OneOf(['added', 'removed', 'changed']),
  before: Type.Optional(Type.Unknown()),
  after: Type.Optional(Type.Unknown()),
})
const FileDifference = Type.Object({
  path: Type.String(),
  kind: OneOf(['added', 'removed', 'changed', 'renamed'], {
    description: 'renamed: the same bytes under another path',
  }),
  previousPath: Nullable(Type.String()),
  sizeBefore: Nullable(Type.Integer({ description: 'Bytes' })),
  sizeAfter: Nullable(Type.Integer({ description: 'Bytes' })),
})

/** What differs between two versions, readable: lines of the texts (null: the same), front matter, files. */
export const VersionDifference = Type.Object({
  from: Type.String({ description: 'The number of the first version' }),
  to: Type.String({ description: 'The number of the second version' }),
  isSame: Type.Boolean(),
  description: Nullable(TextDifference),
  bodyMarkdown: Nullable(TextDifference),
  frontmatter: Type.Array(FieldDifference, {
    description: `What differs in more than ${limits.differenceFields} places is told as one change of the whole`,
  }),
  files: Type.Array(FileDifference, { description: 'By path' }),
})
export type TextDifference = Static<typeof TextDifference>
export type FieldDifference = Static<typeof FieldDifference>
export type FileDifference = Static<typeof FileDifference>
export type VersionDifference = Static<typeof VersionDifference>

const studio = { area: 'studio', module: 'studio' } as const
const view = { session: { permission: 'STUDIO_VIEW' } } as const
const edit = { session: { permission: 'STUDIO_EDIT' } } as const
const ofAsset = { id: Id }
const one = { id: Id, version: VersionRef }

/** Keeps VER-5. */
export const listVersions = operation('GET /assets/:id/versions', {
  ...studio,
  summary: 'List version history',
  description: 'In the order in which they were made, newest first.',
  auth: view,
  params: ofAsset,
  query: pageQuery,
  reply: Page(VersionItem),
  errors: ['ASSET_NOT_FOUND'],
})

/** Keeps VER-6. */
export const readVersion = operation('GET /assets/:id/versions/:version', {
  ...studio,
  summary: 'Get one version',
  description: '`:version` is an exact number, `current` or `latest`.',
  auth: view,
  params: one,
  reply: Version,
  errors: ['ASSET_NOT_FOUND', 'VERSION_NOT_FOUND'],
})

/** Keeps VER-7 to VER-10. */
export const createVersion = operation('POST /assets/:id/versions', {
  ...studio,
  summary: 'Create an explicit version',
  description:
    'What is left out is carried over from the active version, attachments by reference. Without `version` the ' +
    'number follows by `bump` (patch when absent) the highest one that the line of the active version has: that of ' +
    'its minor number for a patch, of its major number for a minor. A number that was used once is never free ' +
    'again: the answer 409 carries `version`, the `contentHash` it has, and `nextVersion`, which is free.',
  auth: edit,
  params: ofAsset,
  body: {
    version: Type.Optional(SemanticVersion),
    bump: Type.Optional(OneOf(versionBumps, { description: 'Counts only without `version`' })),
    changelog: Type.Optional(Text(limits.assetChangelog)),
    description: Type.Optional(Text(limits.assetDescription)),
    bodyMarkdown: Type.Optional(Text(limits.assetBody)),
    frontmatter: Type.Optional(FreeObject),
    copyFiles: Type.Optional(Type.Boolean({ description: 'Carry the attachments over; true when absent' })),
    setCurrent: Type.Optional(
      Type.Boolean({
        description:
          'Make it the active version; true when absent. With false, `activate` makes it the active one later',
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
  summary: 'Restore an earlier version',
  description:
    'Writes the next patch version with the content and attachments of the earlier one; the history keeps both, ' +
    'with `restoredFrom`. It becomes the active version. `publish` publishes it as well and takes STUDIO_PUBLISH. ' +
    'Restoring what is active already is recorded like any other.',
  auth: edit,
  params: one,
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
    'The version keeps its number, content, attachments and the time when it was published. Nothing is written to the ' +
    'history, and making the active version active again changes nothing. `rollback` restores an earlier version under ' +
    'a new number instead.',
  auth: edit,
  params: one,
  reply: Version,
  status: 201,
  errors: ['ASSET_NOT_FOUND', 'ASSET_ACCESS_DENIED', 'ASSET_ARCHIVED', 'VERSION_NOT_FOUND'],
})

export const diffVersions = operation('GET /assets/:id/versions/:a/diff/:b', {
  ...studio,
  summary: 'What differs between two versions',
  description: '`:a` and `:b` are exact numbers, `current` or `latest`; `:a` is taken as the earlier one.',
  auth: view,
  params: { id: Id, a: VersionRef, b: VersionRef },
  reply: VersionDifference,
  errors: ['ASSET_NOT_FOUND', 'VERSION_NOT_FOUND'],
})
