import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { FreeObject, Id, Name, Nullable, OneOf, Text } from '../shapes.ts'
import { AssetCreated, assetTypes, SemanticVersion, Slug, Tags } from './assets.ts'
import { Attachment } from './files.ts'
import { VersionRef } from './versions.ts'

export const packageLayouts = ['wrapped', 'flat'] as const
export const packageProfiles = ['agent-skills', 'claude-code'] as const
export type PackageLayout = (typeof packageLayouts)[number]
export type PackageProfile = (typeof packageProfiles)[number]

/** Something about a package that its author should know. */
export const Finding = Type.Object({
  code: Type.String({ description: 'A stable word for the kind of finding' }),
  path: Nullable(Type.String({ description: 'The file it is about' })),
  line: Nullable(Type.Integer()),
  message: Type.String(),
})
export type Finding = Static<typeof Finding>

/** What an import would make of a package; nothing is stored. */
export const ImportReport = Type.Object({
  isImportable: Type.Boolean(),
  type: Nullable(OneOf(assetTypes)),
  name: Nullable(Type.String()),
  description: Nullable(Type.String()),
  version: Nullable(Type.String()),
  tags: Type.Array(Type.String()),
  frontmatter: FreeObject,
  files: Type.Array(
    Type.Object({
      path: Type.String(),
      size: Type.Integer(),
      sha256: Type.String(),
      contentType: Type.String(),
    }),
  ),
  errors: Type.Array(Finding),
  warnings: Type.Array(Finding),
})
export type ImportReport = Static<typeof ImportReport>

const studio = { area: 'studio', module: 'studio' } as const

/** Keeps PKG-1 to PKG-10. */
export const importAsset = operation('POST /assets/import', {
  ...studio,
  summary: 'Import a ZIP',
  description:
    'A package of an Agent Skill, an Agent Plugin, a Claude Code plugin, a command, an agent or a prompt, with or ' +
    'without a folder around it. Makes a PRIVATE DRAFT with its first version and attachments. What can be ' +
    'understood in spite of a mistake is taken, with a warning. With `dryRun` nothing is stored: 200 and a report.',
  auth: { session: { permission: 'STUDIO_CREATE' } },
  query: { dryRun: Type.Optional(Type.Boolean()) },
  requestType: 'multipart/form-data',
  formFields: { file: Type.String({ format: 'binary' }) },
  reply: Type.Object({
    ...AssetCreated.properties,
    files: Type.Array(Attachment),
    warnings: Type.Array(Finding),
  }),
  status: 201,
  alternateReply: { status: 200, reply: ImportReport },
  errors: ['PACKAGE_INVALID', 'PACKAGE_TOO_LARGE'],
})

/** Keeps PKG-17 to PKG-20. */
export const exportAsset = operation('GET /assets/:id/export', {
  ...studio,
  summary: 'Download the asset as ZIP',
  description:
    'The same version always gives the same bytes. In the front matter of a skill stand the keys that every client ' +
    'knows, others move into its `metadata` as text; `profile=claude-code` leaves them where they are. ' +
    'The package of an installed copy also says where it comes from, in `provenance.json`. `sidecar=false` leaves out ' +
    'that file and the one with which Patio restores everything. Takes `If-None-Match`.',
  auth: { session: { permission: 'STUDIO_VIEW' } },
  params: { id: Id },
  query: {
    version: Type.Optional(Type.String({ ...VersionRef, description: 'The active one when absent' })),
    layout: Type.Optional(OneOf(packageLayouts, { description: 'wrapped (one folder) when absent' })),
    profile: Type.Optional(OneOf(packageProfiles, { description: 'agent-skills when absent' })),
    sidecar: Type.Optional(Type.Boolean()),
  },
  responseType: 'application/zip',
  errors: ['ASSET_NOT_FOUND', 'VERSION_NOT_FOUND'],
})

/**
 * The file that Patio adds to a package so that an import restores everything. Shape of `asset-studio.json`. It is
 * believed only as far as the other files agree with it.
 */
export const Sidecar = Type.Object({
  type: OneOf(assetTypes),
  slug: Slug,
  name: Name(limits.assetName),
  description: Text(limits.assetDescription),
  tags: Tags,
  iconName: Nullable(Text(limits.assetIconName)),
  color: Nullable(Text(limits.assetColor)),
  version: SemanticVersion,
  changelog: Nullable(Text(limits.assetChangelog)),
  contentHash: Type.String({ description: 'SHA-256 of description, body and front matter' }),
  frontmatter: FreeObject,
  frontmatterText: Nullable(
    Type.String({ description: 'The front matter as it stood in the package that was imported' }),
  ),
  files: Type.Array(
    Type.Object({
      path: Type.String(),
      sha256: Type.String(),
      packagedAs: Type.Optional(
        Type.String({ description: 'Where it stands in this package, when its own path is taken' }),
      ),
    }),
  ),
})
export type Sidecar = Static<typeof Sidecar>
