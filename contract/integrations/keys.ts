import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Name, Nullable, Page, pageQuery, Time } from '../shapes.ts'
import { Type } from '../type.ts'

const key = {
  id: Id,
  name: Type.String(),
  prefix: Type.String({ description: 'The first characters of the key, to recognize it' }),
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
  announces: { event: 'application.changed', id: 'id' },
  ...integrations,
  summary: 'Create an API key for an application',
  description:
    `The application sends the key as \`X-Api-Key\`. The key is shown only once. An application can have ` +
    `${limits.applicationKeys} active keys, so that one can be replaced without downtime. ` +
    'Without `expiresInDays` a key works until it is revoked. An administrator can create keys for any application. ' +
    'Another person can do so if they are its principal and hold every permission that its scopes stand for, but never ' +
    'for an application with a critical scope.',
  params: { id: Id },
  body: {
    name: Name(limits.applicationKeyName),
    expiresInDays: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.applicationKeyDays })),
  },
  reply: Type.Object({
    ...key,
    key: Type.String({ description: 'The key. Store it: it is not shown again' }),
  }),
  status: 201,
  errors: ['APPLICATION_NOT_FOUND', 'APPLICATION_EXCEEDS_PERMISSIONS', 'TOO_MANY_KEYS'],
  limit: { bucket: 'create-application-key', times: limits.applicationKeysPerHour, windowSeconds: 3_600 },
})

export const listKeys = operation('GET /applications/:id/keys', {
  ...integrations,
  summary: 'List the keys of an application, newest first',
  description: `Includes the last ${limits.endedApplicationKeysMax} revoked or expired keys.`,
  params: { id: Id },
  query: pageQuery,
  reply: Page(ApplicationKey),
  errors: ['APPLICATION_NOT_FOUND'],
})

export const revokeKey = operation('DELETE /applications/:id/keys/:keyId', {
  announces: { event: 'application.changed', id: 'id' },
  ...integrations,
  summary: 'Revoke a key',
  description: 'The key stops working on every process within two seconds.',
  params: { id: Id, keyId: Id },
  errors: ['APPLICATION_NOT_FOUND', 'KEY_NOT_FOUND'],
})
