import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Name, Nullable, Page, pageQuery, Time } from '../shapes.ts'

const key = {
  id: Id,
  name: Type.String(),
  prefix: Type.String({ description: 'How the key begins, to tell one from another' }),
  createdAt: Time,
  expiresAt: Nullable(Time),
  lastUsedAt: Nullable({ ...Time, description: 'To the minute' } as typeof Time),
  revokedAt: Nullable(Time),
}

/** A key of an application, without the key itself. */
export const ApplicationKey = Type.Object(key)
export type ApplicationKey = Static<typeof ApplicationKey>

const integrations = {
  area: 'integrations',
  module: 'integrations',
  auth: { session: { permission: 'INTEGRATIONS_MANAGE' } },
} as const

export const createKey = operation('POST /applications/:id/keys', {
  ...integrations,
  summary: 'Make a key for an application',
  description:
    `The application sends it as \`X-Api-Key\`. The key is shown this once. ` +
    `${limits.applicationKeys} work at a time, so that one can be replaced without a pause. ` +
    'Without `expiresInDays` it works until it is revoked. An administrator makes keys of any application. Another ' +
    'person does so where they are the principal and hold every permission that the scopes stand for, and never for ' +
    'an application with a critical scope.',
  params: { id: Id },
  body: {
    name: Name(limits.applicationKeyName),
    expiresInDays: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.applicationKeyDays })),
  },
  reply: Type.Object({
    ...key,
    key: Type.String({ description: 'The key; keep it, it is not shown again' }),
  }),
  status: 201,
  errors: ['APPLICATION_NOT_FOUND', 'APPLICATION_EXCEEDS_PERMISSIONS', 'TOO_MANY_KEYS'],
  limit: { bucket: 'create-application-key', times: limits.applicationKeysPerHour, windowSeconds: 3_600 },
})

export const listKeys = operation('GET /applications/:id/keys', {
  ...integrations,
  summary: 'List the keys of an application, newest first',
  description: `Also the last ${limits.applicationKeysKept} that are over.`,
  params: { id: Id },
  query: pageQuery,
  reply: Page(ApplicationKey),
  errors: ['APPLICATION_NOT_FOUND'],
})

export const revokeKey = operation('DELETE /applications/:id/keys/:keyId', {
  ...integrations,
  summary: 'Revoke a key',
  description: 'It opens nothing any more, on every process within two seconds.',
  params: { id: Id, keyId: Id },
  errors: ['APPLICATION_NOT_FOUND', 'KEY_NOT_FOUND'],
})
