import type { Static } from 'typebox'
import { ApplicationStatus } from '../integrations/applications.ts'
import { operation } from '../operation.ts'
import { Id, Nullable, OneOf, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { grantCapabilities, newestFirstQuery } from './shapes.ts'

const area = 'chat'

/** Why an application with a grant has no access to the channel. */
export const grantObstacles = [
  'NOT_A_MEMBER',
  'APPLICATION_DISABLED',
  'GRANTOR_LEFT',
  'GRANTOR_NOT_PERMITTED',
  'GRANTOR_NOT_IN_CHANNEL',
] as const
export type GrantObstacle = (typeof grantObstacles)[number]

const Capabilities = Type.Array(OneOf(grantCapabilities))
const Person = Type.Object({ id: Id, displayName: Type.String() })

/** The rights of an application in a channel, where it acts on behalf of the grantor (GRT-1 to GRT-4). */
export const Grant = Type.Object({
  application: Type.Object({ id: Id, slug: Type.String(), name: Type.String(), status: ApplicationStatus }),
  capabilities: Capabilities,
  isMember: Type.Boolean({
    description:
      'The application is in the channel: it reads, writes and receives events as its scopes allow',
  }),
  grantedBy: Person,
  grantedAt: Time,
  isEffective: Type.Boolean({
    description: 'The application is in the channel, and its grantor still has access',
  }),
  obstacle: Nullable(OneOf(grantObstacles, { description: 'Why the grant is not effective' })),
  effectiveCapabilities: {
    ...Capabilities,
    description:
      'The capabilities that the grantor still has: the application can do no more than its grantor',
  } as typeof Capabilities,
})
export type Grant = Static<typeof Grant>

const PastGrant = Type.Object({
  id: Id,
  application: Type.Object({ id: Id, slug: Type.String(), name: Type.String() }),
  capabilities: Capabilities,
  isMember: Type.Boolean(),
  grantedBy: Person,
  grantedAt: Time,
  revokedBy: Nullable(Person),
  revokedAt: Nullable(Time),
})
export type PastGrant = Static<typeof PastGrant>

const grantParams = { id: Id, applicationId: Id }
const manageErrors = ['CHANNEL_NOT_FOUND', 'CHANNEL_NOT_GOVERNED', 'CHANNEL_ROLE_REQUIRED'] as const
const manageAuth = { session: { permission: 'CHAT_APPLICATIONS_MANAGE' } } as const

export const listGrants = operation('GET /channels/:id/applications', {
  area,
  summary: 'List the grants of applications in a channel',
  description:
    'By name of the application. For members of the channel and administrators of the organization.',
  auth: { session: { permission: 'CHAT_USE' } },
  params: { id: Id },
  reply: Type.Object({ items: Type.Array(Grant) }),
  errors: ['CHANNEL_NOT_FOUND'],
})

export const putGrant = operation('PUT /channels/:id/applications/:applicationId', {
  area,
  module: 'integrations',
  summary: 'Grant an application access to a channel, or change its grant',
  description:
    'The application then acts in the channel on behalf of the caller, and can never do more than the caller. Replacing ' +
    'the grant of a person who has left makes the application effective again. With `isMember` false the application is ' +
    'not in the channel, and can only use its capabilities; a caller who is not in the channel can only give such a ' +
    'grant. The status and the scopes of the application are checked at each of its calls, not here.',
  auth: manageAuth,
  params: grantParams,
  body: {
    capabilities: Type.Array(OneOf(grantCapabilities), {
      maxItems: grantCapabilities.length,
      uniqueItems: true,
    }),
    isMember: Type.Optional(Type.Boolean({ default: true })),
  },
  reply: Grant,
  errors: [
    ...manageErrors,
    'JOIN_CHANNEL_FIRST',
    'CHANNEL_ARCHIVED',
    'APPLICATION_NOT_FOUND',
    'TOO_MANY_IN_CHANNEL',
  ],
})

export const revokeGrant = operation('DELETE /channels/:id/applications/:applicationId', {
  area,
  summary: 'Revoke the grant of an application in a channel',
  description:
    'Takes effect at once: the next call of the application gets CHANNEL_NOT_FOUND, and it receives no more events of the channel.',
  auth: manageAuth,
  params: grantParams,
  errors: [...manageErrors, 'GRANT_NOT_FOUND'],
})

export const listPastGrants = operation('GET /channels/:id/applications/history', {
  area,
  summary: 'List all current and past grants in a channel, newest first',
  description:
    'Each change of a grant ends it and starts a new one. For the next page, pass `nextBefore` as `before`.',
  auth: manageAuth,
  params: { id: Id },
  query: newestFirstQuery,
  reply: Type.Object({ items: Type.Array(PastGrant), nextBefore: Nullable(Id) }),
  errors: manageErrors,
})
