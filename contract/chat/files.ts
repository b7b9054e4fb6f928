import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { MessageFile } from './shapes.ts'

const area = 'chat'
const auth = { session: { permission: 'CHAT_USE' } } as const
const fileParams = { fileId: Id }

/** Keeps MSG-19 to MSG-21. */
export const uploadChatFiles = operation('POST /channels/:id/files', {
  area,
  summary: 'Upload files for a message (multipart/form-data)',
  description: `Each part \`file\` is one file. The files wait for a message of the caller that names them in \`fileIds\`; after ${limits.waitingChatFileHours} hours they are deleted. Either all files are stored or none.`,
  auth,
  params: { id: Id },
  requestType: 'multipart/form-data',
  formFields: {
    file: Type.Array(Type.String({ format: 'binary' }), { minItems: 1, maxItems: limits.filesPerMessage }),
  },
  reply: Type.Object({ items: Type.Array(MessageFile) }),
  status: 201,
  errors: ['CHANNEL_NOT_FOUND', 'CHANNEL_ARCHIVED', 'FILE_TOO_LARGE', 'TOO_MANY_FILES', 'CHAT_STORAGE_FULL'],
})

/** Keeps MSG-22. */
export const addressOfChatFile = operation('GET /files/:fileId/download', {
  area,
  summary: 'Create a temporary signed address of a file',
  description: `For people who may read the message, and for the uploader of a file without one. The address works for ${limits.fileAddressMinutes} minutes, as long as the caller may read the message.`,
  auth,
  params: fileParams,
  reply: Type.Object({ ...MessageFile.properties, url: Type.String(), expiresAt: Time }),
  errors: ['FILE_NOT_FOUND'],
})

/** Keeps MSG-23. */
export const removeChatFile = operation('DELETE /files/:fileId', {
  area,
  summary: 'Delete a file of an own message, or one that waits for a message',
  description: 'The message stays. A deleted message loses all of its files.',
  auth,
  params: fileParams,
  errors: ['FILE_NOT_FOUND', 'NOT_THE_AUTHOR', 'CHANNEL_ARCHIVED'],
})

/** The target of a signed address. Supports `Range`. */
export const openChatFile = operation('GET /files/:fileId', {
  area,
  summary: 'Open a file by its signed address',
  description: 'Returns 206 for a `Range` of bytes. A browser may show an image, and saves every other file.',
  auth: { public: true },
  params: fileParams,
  query: {
    organization: Id,
    person: Id,
    expires: Type.Integer({ minimum: 0, maximum: 9_999_999_999, description: 'Seconds since 1970' }),
    signature: Type.String({ minLength: 1, maxLength: 200 }),
  },
  responseType: 'application/octet-stream',
  errors: ['FILE_ADDRESS_INVALID', 'FILE_NOT_FOUND', 'RANGE_NOT_SATISFIABLE'],
})
