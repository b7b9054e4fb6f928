import Type, { type Static } from 'typebox'
import { ApplicationStatus } from '../integrations/applications.ts'
import { operation } from '../operation.ts'
import { Id, Nullable, OneOf, Time } from '../shapes.ts'
import { grantCapabilities, newestFirstQuery } from './shapes.ts'

const area = 'chat'

/** Why an application with a grant does not read, write or hear of anything in the channel. */
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

/** The power that a person gives an application in a channel, on their behalf (GRT-1 to GRT-4). */
export const Grant = Type.Object({
  application: Type.Object({ id: Id, slug: Type.String(), name: Type.String(), status: ApplicationStatus }),
  capabilities: Capabilities,
  isMember: Type.Boolean({ description: 'In the channel: it reads, writes and is told as its scopes say' }),
  grantedBy: Person,
  grantedAt: Time,
  isEffective: Type.Boolean({ description: 'It is in the channel, and who granted may still be there' }),
  obstacle: Nullable(OneOf(grantObstacles, { description: 'Why it is not effective' })),
  effectiveCapabilities: {
    ...Capabilities,
    description: 'Those that who granted may still use: the application can do no more than they can',
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
const governErrors = ['CHANNEL_NOT_FOUND', 'CHANNEL_NOT_GOVERNED', 'CHANNEL_ROLE_REQUIRED'] as const
const manageAuth = { session: { permission: 'CHAT_APPLICATIONS_MANAGE' } } as const

export const listGrants = operation('GET /channels/:id/applications', {
  area,
  summary: 'List the applications that have a grant in a channel, by name',
  description: 'For the members of the channel, and for administrators of the organization.',
  auth: { session: { permission: 'CHAT_USE' } },
  params: { id: Id },
  reply: Type.Object({ items: Type.Array(Grant) }),
  errors: ['CHANNEL_NOT_FOUND'],
})

export const putGrant = operation('PUT /channels/:id/applications/:applicationId', {
  area,
  module: 'integrations',
  summary: 'Let an application into a channel, or change what it may do there',
  description:
    'From then on it acts there on behalf of the caller: no more than they may do themselves, at each moment. Putting ' +
    'the grant of somebody who has left makes it effective again. With `isMember` false it is not in the channel and ' +
    'can only do what its capabilities say. Who is not in the channel may only give such a grant. Neither its status nor its scopes are looked at: they are at each call.',
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
    ...governErrors,
    'JOIN_CHANNEL_FIRST',
    'CHANNEL_ARCHIVED',
    'APPLICATION_NOT_FOUND',
    'TOO_MANY_IN_CHANNEL',
  ],
})

export const revokeGrant = operation('DELETE /channels/:id/applications/:applicationId', {
  area,
  summary: 'Revoke the grant of an application in a channel',
  description: 'At once and everywhere: its next call finds no channel, and nothing more of it is sent.',
  auth: manageAuth,
  params: grantParams,
  errors: [...governErrors, 'GRANT_NOT_FOUND'],
})

export const listPastGrants = operation('GET /channels/:id/applications/history', {
  area,
  summary: 'List every grant that there was in a channel, the newest first',
  description: 'Each change of a grant ends one and begins another. The next page: `before` = `nextBefore`.',
  auth: manageAuth,
  params: { id: Id },
  query: newestFirstQuery,
  reply: Type.Object({ items: Type.Array(PastGrant), nextBefore: Nullable(Id) }),
  errors: governErrors,
})
