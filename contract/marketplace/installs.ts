import Type, { type Static } from 'typebox'
import { operation } from '../operation.ts'
import { Id, Nullable, OneOf, Page, Person, pageQuery, Time } from '../shapes.ts'

/** One copy that was made of a marketplace entry. */
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

/** How installs are read. */
export const marketplaceInstalls = { ...marketplace, auth: view } as const

/** Keeps INS-9. */
export const listInstalls = operation('GET /marketplace/installs', {
  ...marketplace,
  summary: "The caller's installs, newest first",
  auth: view,
  query: pageQuery,
  reply: Page(Install),
})

/** Keeps INS-11. */
export const listEntryInstalls = operation('GET /marketplace/entries/:id/installs', {
  ...marketplace,
  summary: "Installs of an entry inside the caller's organization only",
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
    Type.String({ description: 'Lines, a field as JSON, or the SHA-256 of a file; null for nothing' }),
  ),
  yours: Nullable(Type.String()),
  theirs: Nullable(Type.String()),
})

/** What bringing a release into an installed copy did, or would do. */
export const InstallUpdate = Type.Object({
  installId: Id,
  installedAssetId: Id,
  fromVersion: Type.String(),
  toVersion: Type.String(),
  version: Nullable(
    Type.String({
      description: 'The version that was written of the copy; null when its content did not change',
    }),
  ),
  isMerged: Type.Boolean({
    description:
      'The copy is not what the release is: changes made here were kept. False while there are conflicts that `take` ' +
      'has not settled, because nothing is merged then',
  }),
  conflicts: Type.Array(Conflict),
})
export type InstallUpdate = Static<typeof InstallUpdate>

export const updateInstall = operation('POST /marketplace/installs/:id/update', {
  ...marketplace,
  summary: 'Bring the newest approved release into an installed copy',
  description:
    'Writes a new version of the copy that has both the changes of the release and those made here since it was ' +
    'installed. Where both changed the same place differently nothing is written: 409 with the `conflicts`. `take` ' +
    'settles all of them one way, and they are told as well. `dryRun` writes nothing and answers 200 with what would ' +
    'happen, conflicts included.',
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
