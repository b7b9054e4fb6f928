import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { scopes } from '../permissions.ts'
import { Id, Name, Nullable, OneOf, Page, pageQuery, Text, Time } from '../shapes.ts'
import { Type } from '../type.ts'

export const applicationStatuses = ['ACTIVE', 'DISABLED'] as const
export const ApplicationStatus = OneOf(applicationStatuses, {
  description: 'DISABLED: its keys are recognized, and every request is refused',
})

export const Scope = OneOf(scopes)
const Slug = Type.String({
  minLength: 1,
  maxLength: limits.applicationSlug,
  pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
  description: 'Lower-case letters, digits and single hyphens',
})
const Scopes = Type.Array(OneOf(scopes), { maxItems: scopes.length, uniqueItems: true })
const Origins = Type.Array(
  Type.String({
    minLength: 1,
    maxLength: limits.applicationOrigin,
    pattern: '^https?://[^\\s/?#@\\\\]+$',
    description: 'Scheme, host and port, such as `https://app.example.com`',
  }),
  {
    maxItems: limits.applicationOrigins,
    uniqueItems: true,
    description:
      'The origins from which browsers may call, such as `https://app.example.com`. An empty list allows none',
  },
)

const applicationFields = {
  id: Id,
  slug: Type.String(),
  name: Type.String(),
  description: Nullable(Type.String()),
  status: ApplicationStatus,
  principal: Type.Object(
    { id: Id, name: Type.String(), isMember: Type.Boolean() },
    { description: 'The person on whose behalf the application acts' },
  ),
  liveKeys: Type.Integer(),
  lastUsedAt: Nullable({
    ...Time,
    description: 'When any of its keys was last used, to the minute',
  } as typeof Time),
  createdAt: Time,
  updatedAt: Time,
}

/** An application as lists show it. */
export const ApplicationItem = Type.Object(applicationFields)
export type ApplicationItem = Static<typeof ApplicationItem>

/** An external application. */
export const Application = Type.Object({
  ...applicationFields,
  origins: Type.Array(Type.String()),
  scopes: Type.Array(OneOf(scopes)),
  criticalScopes: Type.Array(Type.Object({ scope: OneOf(scopes), reason: Type.String(), grantedAt: Time }), {
    description: 'The critical scopes that a super administrator granted, with the reason',
  }),
})
export type Application = Static<typeof Application>

const integrations = {
  area: 'integrations',
  module: 'integrations',
  auth: { session: { permission: 'INTEGRATIONS_MANAGE' } },
} as const

export const createApplication = operation('POST /applications', {
  announces: { event: 'application.changed', change: 'created' },
  ...integrations,
  summary: 'Register an external application',
  description:
    'The application acts on behalf of the person who registers it. Without `slug`, the slug is made from the name, ' +
    'with a number if it is taken. A person who is not an administrator can grant only scopes whose permissions they ' +
    'hold. Only a super administrator grants critical scopes.',
  body: {
    name: Name(limits.applicationName),
    slug: Type.Optional(Slug),
    description: Type.Optional(Nullable(Text(limits.applicationDescription))),
    origins: Type.Optional(Origins),
    scopes: Type.Optional(Scopes),
  },
  reply: Application,
  status: 201,
  errors: [
    'APPLICATION_SLUG_TAKEN',
    'SCOPE_IS_CRITICAL',
    'APPLICATION_EXCEEDS_PERMISSIONS',
    'TOO_MANY_APPLICATIONS',
  ],
})

export const listApplications = operation('GET /applications', {
  ...integrations,
  summary: 'List external applications by name',
  query: { ...pageQuery, status: Type.Optional(ApplicationStatus) },
  reply: Page(ApplicationItem),
})

export const readApplication = operation('GET /applications/:id', {
  ...integrations,
  summary: 'Read an external application',
  params: { id: Id },
  reply: Application,
  errors: ['APPLICATION_NOT_FOUND'],
})

export const updateApplication = operation('PATCH /applications/:id', {
  announces: { event: 'application.changed' },
  ...integrations,
  summary: 'Update an external application',
  description:
    'Absent fields do not change. `scopes` replaces the whole list: critical scopes can be kept or removed, but not ' +
    'added. To add scopes or to become the principal, a person who is not an administrator must hold every permission ' +
    'that the scopes stand for; only an administrator can name another person. Changes take effect on every process ' +
    'within two seconds.',
  params: { id: Id },
  body: {
    name: Type.Optional(Name(limits.applicationName)),
    slug: Type.Optional(Slug),
    description: Type.Optional(Nullable(Text(limits.applicationDescription))),
    status: Type.Optional(ApplicationStatus),
    principalId: Type.Optional(Id),
    origins: Type.Optional(Origins),
    scopes: Type.Optional(Scopes),
  },
  reply: Application,
  errors: [
    'APPLICATION_NOT_FOUND',
    'APPLICATION_SLUG_TAKEN',
    'SCOPE_IS_CRITICAL',
    'APPLICATION_EXCEEDS_PERMISSIONS',
    'PRINCIPAL_UNKNOWN',
  ],
})

export const removeApplication = operation('DELETE /applications/:id', {
  announces: { event: 'application.changed', change: 'removed' },
  ...integrations,
  summary: 'Delete an external application',
  description:
    'Deletes its keys at once and stops all webhooks. The records of what it did remain, and its slug stays ' +
    'reserved.',
  params: { id: Id },
  errors: ['APPLICATION_NOT_FOUND'],
})

/** The application that a key belongs to, as the application itself sees it. */
export const OwnApplication = Type.Object({
  id: Id,
  slug: Type.String(),
  name: Type.String(),
  organizationId: Id,
  scopes: Type.Array(OneOf(scopes)),
  key: Type.Object({ id: Id, name: Type.String(), prefix: Type.String(), expiresAt: Nullable(Time) }),
})

export const readOwnApplication = operation('GET /application', {
  area: 'integrations',
  module: 'integrations',
  auth: { apiKey: { scope: null } },
  summary: 'Read the calling application, its scopes and the key it used',
  reply: OwnApplication,
})
