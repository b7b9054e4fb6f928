import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Page, pageQuery, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { Author } from './assets.ts'
import { VersionRef } from './versions.ts'

/** A path inside a package, such as `scripts/run.py`. `normalizePath` in file.rules.ts says which paths are valid. */
export const FilePath = Type.String({ minLength: 1, maxLength: limits.filePathBytes })

const attachment = {
  id: Id,
  assetId: Id,
  versionId: Id,
  version: Type.String(),
  path: Type.String({ description: 'Path inside the package' }),
  filename: Type.String({ description: 'The last part of the path' }),
  contentType: Type.String({ description: 'Detected from the content, not taken from the request' }),
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
const fileParams = { ...ofVersion, fileId: Id }
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
  summary: 'Upload attachments (multipart/form-data)',
  description:
    'Each part `file` is one attachment. A part `path` before it sets its path inside the package; the default is its ' +
    'file name. Either all files are stored or none. Returns the first attachment, with all of them in `files`.',
  auth: edit,
  params: ofVersion,
  query: {
    overwrite: Type.Optional(Type.Boolean({ description: 'Replace files with the same path' })),
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
  description: 'Ordered by path.',
  auth: view,
  params: ofVersion,
  query: pageQuery,
  reply: Page(Attachment),
  errors: ['ASSET_NOT_FOUND', 'VERSION_NOT_FOUND'],
})

/** Keeps FIL-15 and FIL-16. */
export const addressOfFile = operation('GET /assets/:id/versions/:version/files/:fileId/download', {
  ...studio,
  summary: 'Create a temporary signed download address',
  description: `The address works for ${limits.fileAddressMinutes} minutes for anyone who has it.`,
  auth: view,
  params: fileParams,
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
  params: fileParams,
  errors: [...unwritable, 'FILE_NOT_FOUND'],
})

/** The target of a signed address. Supports `Range`. */
export const openFile = operation('GET /files/:fileId', {
  area: 'studio',
  summary: 'Download an attachment by its signed address',
  description: 'Returns 206 for a `Range` of bytes. Browsers save the file and never display it.',
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
