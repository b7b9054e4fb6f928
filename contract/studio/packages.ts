import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { FreeObject, Id, Name, Nullable, OneOf, Text } from '../shapes.ts'
import { Type } from '../type.ts'
import { AssetCreated, assetTypes, SemanticVersion, Slug, Tags } from './assets.ts'
import { Attachment } from './files.ts'
import { VersionRef } from './versions.ts'

export const packageLayouts = ['wrapped', 'flat'] as const
export const packageProfiles = ['agent-skills', 'claude-code'] as const
export type PackageLayout = (typeof packageLayouts)[number]
export type PackageProfile = (typeof packageProfiles)[number]

/** An error or a warning about a package. */
export const Finding = Type.Object({
  code: Type.String({ description: 'A stable code for this kind of finding' }),
  path: Nullable(Type.String({ description: 'The file that the finding is about' })),
  line: Nullable(Type.Integer()),
  message: Type.String(),
})
export type Finding = Static<typeof Finding>

/** The result of a dry run: what an import would create. Nothing is stored. */
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
  summary: 'Import a package (ZIP)',
  description:
    'Accepts the package of an Agent Skill, an Agent Plugin, a Claude Code plugin, a command, an agent or a prompt, with ' +
    'or without an enclosing folder. Creates a PRIVATE DRAFT with its first version and attachments. Mistakes that can ' +
    'be corrected are reported as warnings. With `dryRun`, nothing is stored and the reply is 200 with a report.',
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
  summary: 'Export an asset as a package (ZIP)',
  description:
    'The same version always gives the same bytes. The front matter of a skill contains only the keys that every client ' +
    'knows; other keys move into `metadata` as text. `profile=claude-code` leaves all keys in place. The package of an ' +
    'installed copy states its origin in `provenance.json`. `sidecar=false` omits that file and `asset-studio.json`, from ' +
    'which an import restores the asset completely. Supports `If-None-Match`.',
  auth: { session: { permission: 'STUDIO_VIEW' } },
  params: { id: Id },
  query: {
    version: Type.Optional(Type.String({ ...VersionRef, description: 'Default: the active version' })),
    layout: Type.Optional(OneOf(packageLayouts, { description: 'Default: wrapped (in one folder)' })),
    profile: Type.Optional(OneOf(packageProfiles, { description: 'Default: agent-skills' })),
    sidecar: Type.Optional(Type.Boolean()),
  },
  responseType: 'application/zip',
  errors: ['ASSET_NOT_FOUND', 'VERSION_NOT_FOUND'],
})

/**
 * The content of `asset-studio.json`, which Patio adds to a package so that an import restores the asset completely.
 * An import uses it only as far as it agrees with the other files.
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
    Type.String({ description: 'The front matter as it was written in the imported package' }),
  ),
  files: Type.Array(
    Type.Object({
      path: Type.String(),
      sha256: Type.String(),
      packagedAs: Type.Optional(
        Type.String({ description: 'The path in this package, when another file has its own path' }),
      ),
    }),
  ),
})
export type Sidecar = Static<typeof Sidecar>
