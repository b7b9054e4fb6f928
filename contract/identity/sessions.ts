import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { builtInRoles, permissions, plans } from '../permissions.ts'
import { Email, Id, Name, Nullable, OneOf, Text, Time } from '../shapes.ts'
import { Type } from '../type.ts'

const Role = OneOf([...builtInRoles, 'CUSTOM'] as const)

export const getSessionToken = operation('GET /token', {
  area: 'auth',
  summary: 'Get the short session token for one organization',
  description:
    'Exchanges the sign-in cookie (or its bearer token) for the JWT that the other operations require. `organization` is an address, a former address or an id; the reply has the current address. Without an organization: the one that the person joined first.',
  auth: { account: true },
  query: {
    organizationId: Type.Optional(Id),
    organization: Type.Optional({ ...Text(limits.id, 1), description: 'An address or an id' }),
  },
  reply: Type.Object({
    token: Type.String(),
    expiresAt: Time,
    streamPosition: {
      ...Type.String(),
      description:
        'A stream opened with it as `Last-Event-ID` misses no change of what is read with the token',
    },
    person: Type.Object({ id: Id, name: Type.String(), email: Type.String() }),
    organization: Type.Object({
      id: Id,
      name: Type.String(),
      address: Type.String(),
      plan: OneOf(plans),
      role: Role,
    }),
  }),
  errors: ['ORGANIZATION_NOT_FOUND'],
})

export const createStreamToken = operation('POST /sse-token', {
  area: 'auth',
  summary: 'Get a token that opens an event stream within 60 seconds',
  auth: { session: { permission: null } },
  body: {},
  bodyOptional: true,
  status: 201,
  reply: Type.Object({ token: Type.String(), expiresAt: Time }),
})

export const listOwnOrganizations = operation('GET /organizations', {
  area: 'auth',
  summary: 'List the organizations of the signed-in person',
  auth: { account: true },
  reply: Type.Object({
    items: Type.Array(
      Type.Object({
        id: Id,
        name: Type.String(),
        address: Type.String(),
        plan: OneOf(plans),
        role: Role,
        suspended: Type.Boolean(),
        isOperator: Type.Boolean({ description: 'The caller operates the server from this organization' }),
      }),
    ),
  }),
})

export const readCaller = operation('GET /me', {
  area: 'auth',
  summary: 'Get the caller of the session token and their permissions',
  auth: { session: { permission: null } },
  reply: Type.Object({
    person: Type.Object({ id: Id, name: Type.String(), email: Type.String() }),
    organizationId: Id,
    organizationName: Type.String(),
    organizationAddress: Type.String(),
    isAdministrator: Type.Boolean(),
    isOperator: Type.Boolean(),
    permissions: Type.Array(OneOf(permissions)),
    modules: Type.Array(Type.String()),
    capabilities: Type.Array(Type.String()),
    features: Type.Array(Type.String()),
    departmentIds: Type.Array(Id),
    workspaceIds: Type.Array(Id),
    groupIds: Type.Array(Id),
  }),
})

export const updateCaller = operation('PATCH /me', {
  announces: { event: 'member.changed' },
  area: 'auth',
  summary: 'Change your own name',
  description: 'In every organization of the signed-in person. Former organizations keep the former name.',
  auth: { account: true },
  body: { name: Name(limits.personName) },
  reply: Type.Object({ person: Type.Object({ id: Id, name: Type.String(), email: Type.String() }) }),
})

export const acceptInvitation = operation('POST /invitations/accept', {
  area: 'auth',
  summary: 'Accept an invitation with the secret from its mail',
  description: 'A new person sends a name and a password. A person with an account sends their password.',
  announces: { event: 'member.changed', change: 'created' },
  auth: { public: true },
  body: {
    secret: Text(200, 20),
    name: Type.Optional(Name(limits.personName)),
    password: Text(128, 10),
  },
  status: 201,
  reply: Type.Object({
    personId: Id,
    organizationId: Id,
    email: Email,
    isNew: Type.Boolean(),
    role: Nullable(Type.String()),
  }),
  errors: ['INVITATION_NOT_FOUND', 'ALREADY_MEMBER', 'PASSWORD_REFUSED'],
  limit: { bucket: 'accept-invitation', times: 20, windowSeconds: 3600 },
})
