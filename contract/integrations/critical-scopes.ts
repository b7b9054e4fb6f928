import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { criticalScopes, scopes } from '../permissions.ts'
import { Id, Nullable, OneOf, Page, Person, pageQuery, Reason, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { ApplicationStatus } from './applications.ts'

const CriticalScope = OneOf(criticalScopes)
const GrantReason = Reason(limits.criticalScopeReason, limits.criticalScopeReasonMin)

export const scopeRequestStatuses = ['OPEN', 'GRANTED', 'REFUSED', 'WITHDRAWN'] as const
export const ScopeRequestStatus = OneOf(scopeRequestStatuses)

const scopeRequest = {
  id: Id,
  applicationId: Id,
  scope: CriticalScope,
  purpose: Type.String({ description: 'The use of the scope, in the words of the person who requests it' }),
  status: ScopeRequestStatus,
  requestedBy: Person,
  requestedAt: Time,
  closedAt: Nullable({ ...Time, description: 'When it was answered or withdrawn' } as typeof Time),
  answer: Nullable(Type.String({ description: 'The reason that the operator gave with the answer' })),
}
/** A request for a critical scope, as the organization of the application sees it. */
export const ScopeRequest = Type.Object(scopeRequest)
export type ScopeRequest = Static<typeof ScopeRequest>

/** A request for a critical scope, as operators see it. */
export const OperatedScopeRequest = Type.Object({
  ...scopeRequest,
  organizationId: Id,
  organizationName: Type.String(),
  applicationName: Type.String(),
  applicationStatus: ApplicationStatus,
})
export type OperatedScopeRequest = Static<typeof OperatedScopeRequest>

/** An application of any organization, as operators see it. */
export const OperatedApplication = Type.Object({
  id: Id,
  slug: Type.String(),
  name: Type.String(),
  status: ApplicationStatus,
  scopes: Type.Array(OneOf(scopes)),
})
export type OperatedApplication = Static<typeof OperatedApplication>

const integrations = {
  area: 'integrations',
  module: 'integrations',
  auth: { session: { permission: 'INTEGRATIONS_MANAGE' } },
} as const
const operator = { area: 'operator', auth: { operator: true } } as const

export const requestCriticalScopes = operation('POST /applications/:id/scope-requests', {
  announces: { event: 'application.changed', id: 'id' },
  ...integrations,
  summary: 'Ask the operators of this server for critical scopes',
  description:
    'Creates one request for each scope. An application has at most one open request for a scope, and none for a scope ' +
    'that it has.',
  params: { id: Id },
  body: {
    scopes: Type.Array(CriticalScope, { minItems: 1, maxItems: criticalScopes.length, uniqueItems: true }),
    purpose: Reason(limits.scopeRequestPurpose, limits.scopeRequestPurposeMin),
  },
  reply: Type.Object({ items: Type.Array(ScopeRequest) }),
  status: 201,
  errors: ['APPLICATION_NOT_FOUND', 'SCOPE_ALREADY_GRANTED', 'SCOPE_REQUEST_OPEN'],
  limit: { bucket: 'scope-requests', times: limits.scopeRequestsPerHour, windowSeconds: 3_600 },
})

export const listScopeRequests = operation('GET /applications/:id/scope-requests', {
  ...integrations,
  summary: 'List the requests for critical scopes of an application, newest first',
  params: { id: Id },
  query: { status: Type.Optional(ScopeRequestStatus), ...pageQuery },
  reply: Page(ScopeRequest),
  errors: ['APPLICATION_NOT_FOUND'],
})

export const withdrawScopeRequest = operation('POST /applications/:id/scope-requests/:requestId/withdraw', {
  announces: { event: 'application.changed', id: 'id' },
  ...integrations,
  summary: 'Withdraw an open request for a critical scope',
  params: { id: Id, requestId: Id },
  reply: ScopeRequest,
  errors: ['APPLICATION_NOT_FOUND', 'SCOPE_REQUEST_NOT_FOUND', 'SCOPE_REQUEST_CLOSED'],
})

export const grantCriticalScope = operation(
  'POST /organizations/:id/applications/:applicationId/critical-scopes',
  {
    ...operator,
    summary: 'Grant a critical scope to an application, with a reason',
    description:
      'A scope that the application already has keeps its first grant and reason. The people who manage the ' +
      'applications of the organization can remove it. The audit log of the organization records the grant. An open ' +
      'request for the scope becomes GRANTED.',
    announces: { event: 'application.changed' },
    params: { id: Id, applicationId: Id },
    body: { scope: CriticalScope, reason: GrantReason },
    reply: Type.Object({ applicationId: Id, scope: CriticalScope, reason: Type.String(), grantedAt: Time }),
    status: 201,
    errors: ['APPLICATION_NOT_FOUND'],
  },
)

export const listOperatedApplications = operation('GET /organizations/:id/applications', {
  ...operator,
  summary: 'List the applications of an organization by name',
  params: { id: Id },
  query: pageQuery,
  reply: Page(OperatedApplication),
  errors: ['ORGANIZATION_NOT_FOUND'],
})

export const listOperatedScopeRequests = operation('GET /scope-requests', {
  ...operator,
  summary: 'List the requests for critical scopes of all organizations',
  description: 'Lists the open requests, oldest first. With another `status`, the newest come first.',
  query: { status: Type.Optional(ScopeRequestStatus), ...pageQuery },
  reply: Page(OperatedScopeRequest),
})

export const answerScopeRequest = operation('POST /scope-requests/:requestId/answer', {
  announces: { event: 'application.changed' },
  ...operator,
  summary: 'Grant or refuse a requested critical scope, with a reason',
  description:
    'The organization sees the answer with its reason, and its audit log records it. The person who requested the scope ' +
    'receives a mail.',
  params: { requestId: Id },
  body: { decision: OneOf(['GRANT', 'REFUSE']), reason: GrantReason },
  reply: OperatedScopeRequest,
  errors: ['SCOPE_REQUEST_NOT_FOUND', 'SCOPE_REQUEST_CLOSED'],
})
