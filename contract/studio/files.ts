import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Page, pageQuery, Time } from '../shapes.ts'
import { Author } from './assets.ts'
import { VersionRef } from './versions.ts'

/** A path inside a package: `scripts/run.py`. What it may not be stands in files/rules.ts. */
export const FilePath = Type.String({ minLength: 1, maxLength: limits.filePathBytes })

const attachment = {
  id: Id,
  assetId: Id,
  versionId: Id,
  version: Type.String(),
  path: Type.String({ description: 'Where it stands inside the package' }),
  filename: Type.String({ description: 'The last part of the path' }),
  contentType: Type.String({ description: 'Found out from the content, never taken from the sender' }),
  size: Type.Integer({ description: 'Bytes' }),
  sha256: Type.String(),
  createdBy: Author,
  createdAt: Time,
}

/** An attachment of one version. */
export const Attachment = Type.Object(attachment)
export type Attachment = Static<typeof Attachment>

const studio = { area: 'studio', module: 'studio' } as const
const view = { session: { permission: 'STUDIO_VIEW' } } as const
const edit = { session: { permission: 'STUDIO_EDIT' } } as const
const ofVersion = { id: Id, version: VersionRef }
const one = { ...ofVersion, fileId: Id }
const unwritable = [
  'ASSET_NOT_FOUND',
  'ASSET_ACCESS_DENIED',
  'ASSET_ARCHIVED',
  'VERSION_NOT_FOUND',
  'VERSION_PUBLISHED',
] as const

/** Keeps FIL-2 to FIL-9. */
export const uploadFiles = operation('POST /assets/:id/versions/:version/files', {
  ...studio,
  summary: 'Upload an attachment (multipart/form-data)',
  description:
    'Each part `file` is one attachment; a part `path` before it says where it stands inside the package, else ' +
    'its file name does. All of them are taken or none. Answers the first one, with all of them in `files`.',
  auth: edit,
  params: ofVersion,
  query: {
    overwrite: Type.Optional(Type.Boolean({ description: 'Replace what stands at the same path' })),
  },
  requestType: 'multipart/form-data',
  formFields: {
    file: Type.Array(Type.String({ format: 'binary' }), { minItems: 1, maxItems: limits.filesPerUpload }),
    path: Type.Optional(Type.Array(FilePath, { maxItems: limits.filesPerUpload })),
  },
  reply: Type.Object({ ...attachment, files: Type.Array(Attachment) }),
  status: 201,
  errors: [...unwritable, 'FILE_EXISTS', 'FILE_TOO_LARGE', 'TOO_MANY_FILES'],
})

/** Keeps FIL-11. */
export const listFiles = operation('GET /assets/:id/versions/:version/files', {
  ...studio,
  summary: 'List attachments',
  description: 'By path.',
  auth: view,
  params: ofVersion,
  query: pageQuery,
  reply: Page(Attachment),
  errors: ['ASSET_NOT_FOUND', 'VERSION_NOT_FOUND'],
})

/** Keeps FIL-15 and FIL-16. */
export const addressOfFile = operation('GET /assets/:id/versions/:version/files/:fileId/download', {
  ...studio,
  summary: 'Temporary signed download address',
  description: `The address works for ${limits.fileAddressMinutes} minutes, for anybody who has it.`,
  auth: view,
  params: one,
  reply: Type.Object({
    url: Type.String(),
    expiresAt: Time,
    filename: Type.String(),
    contentType: Type.String(),
    size: Type.Integer(),
    sha256: Type.String(),
  }),
  errors: ['ASSET_NOT_FOUND', 'VERSION_NOT_FOUND', 'FILE_NOT_FOUND'],
})

/** Keeps FIL-13. */
export const removeFile = operation('DELETE /assets/:id/versions/:version/files/:fileId', {
  ...studio,
  summary: 'Delete an attachment',
  auth: edit,
  params: one,
  errors: [...unwritable, 'FILE_NOT_FOUND'],
})

/** Where a signed address leads. Takes `Range`. */
export const openFile = operation('GET /files/:fileId', {
  area: 'studio',
  summary: 'The bytes of an attachment, by a signed address',
  description:
    'Answers 206 to a `Range` of bytes. Always sent as a download, never to be shown by a browser.',
  auth: { public: true },
  params: { fileId: Id },
  query: {
    organization: Id,
    expires: Type.Integer({ minimum: 0, maximum: 9_999_999_999, description: 'Seconds since 1970' }),
    signature: Type.String({ minLength: 1, maxLength: 200 }),
  },
  responseType: 'application/octet-stream',
  errors: ['FILE_ADDRESS_INVALID', 'FILE_NOT_FOUND', 'RANGE_NOT_SATISFIABLE'],
})
