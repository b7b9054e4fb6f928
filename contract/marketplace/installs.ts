import type { Static } from 'typebox'
import { operation } from '../operation.ts'
import { Id, Nullable, OneOf, Page, Person, pageQuery, Time } from '../shapes.ts'
import { Type } from '../type.ts'

/** An installed copy of a marketplace entry. */
export const Install = Type.Object({
  installId: Id,
  entryId: Id,
  entryName: Type.String(),
  installedAssetId: Nullable(Id),
  installedVersion: Type.String(),
  filesCopied: Type.Integer(),
  filesFailed: Type.Integer(),
  customName: Nullable(Type.String()),
  installedBy: Person,
  createdAt: Time,
  updateAvailable: Type.Boolean(),
})
export type Install = Static<typeof Install>

const marketplace = { area: 'studio', module: 'studio', feature: 'marketplace' } as const
const view = { session: { permission: 'STUDIO_MARKETPLACE_VIEW' } } as const

/** Access to the operations that read installs. */
export const marketplaceInstalls = { ...marketplace, auth: view } as const

/** Keeps INS-9. */
export const listInstalls = operation('GET /marketplace/installs', {
  ...marketplace,
  summary: "List the caller's installs, newest first",
  auth: view,
  query: pageQuery,
  reply: Page(Install),
})

/** Keeps INS-11. */
export const listEntryInstalls = operation('GET /marketplace/entries/:id/installs', {
  ...marketplace,
  summary: "List the installs of an entry in the caller's organization",
  auth: view,
  params: { id: Id },
  query: pageQuery,
  reply: Page(Install),
  errors: ['ENTRY_NOT_FOUND'],
})

const Conflict = Type.Object({
  path: Type.String({
    description: '`name`, `description`, `bodyMarkdown`, `frontmatter.<field>` or `files/<path>`',
  }),
  base: Nullable(
    Type.String({ description: 'Lines, a field as JSON, or the SHA-256 of a file; null if absent' }),
  ),
  yours: Nullable(Type.String()),
  theirs: Nullable(Type.String()),
})

/** The result of updating an installed copy, or of a dry run. */
export const InstallUpdate = Type.Object({
  installId: Id,
  installedAssetId: Id,
  fromVersion: Type.String(),
  toVersion: Type.String(),
  version: Nullable(
    Type.String({
      description: 'The new version of the copy; null if its content did not change',
    }),
  ),
  isMerged: Type.Boolean({
    description:
      'True if the copy differs from the release because local changes were kept. False while there are conflicts that ' +
      '`take` has not resolved, because nothing is merged then',
  }),
  conflicts: Type.Array(Conflict),
})
export type InstallUpdate = Static<typeof InstallUpdate>

export const updateInstall = operation('POST /marketplace/installs/:id/update', {
  ...marketplace,
  summary: 'Update an installed copy to the newest approved release',
  description:
    'Writes a new version of the copy that merges the changes of the release with the local changes since it was ' +
    'installed. If both changed the same place differently, nothing is written and the reply is 409 with the ' +
    '`conflicts`. `take` resolves all conflicts in favour of one side and still lists them. `dryRun` writes nothing ' +
    'and returns 200 with the result that an update would have, conflicts included.',
  auth: { session: { permission: 'STUDIO_MARKETPLACE_INSTALL' } },
  params: { id: Id },
  body: {
    take: Type.Optional(OneOf(['yours', 'theirs'])),
    dryRun: Type.Optional(Type.Boolean()),
  },
  bodyOptional: true,
  reply: InstallUpdate,
  status: 201,
  alternateReply: { status: 200, reply: InstallUpdate },
  errors: [
    'INSTALL_NOT_FOUND',
    'ASSET_NOT_FOUND',
    'ASSET_ACCESS_DENIED',
    'ASSET_ARCHIVED',
    'INSTALL_UP_TO_DATE',
    'INSTALL_CONFLICT',
    'TOO_MANY_FILES',
    'FILE_TOO_LARGE',
    'ENTRY_NOT_APPROVED',
  ],
})
