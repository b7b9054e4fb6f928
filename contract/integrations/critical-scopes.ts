import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { criticalScopes } from '../permissions.ts'
import { Id, OneOf, Reason, Time } from '../shapes.ts'

const CriticalScope = OneOf(criticalScopes)

export const grantCriticalScope = operation(
  'POST /organizations/:id/applications/:applicationId/critical-scopes',
  {
    area: 'operator',
    summary: 'Grant a critical scope to an application, with a reason',
    description:
      'A scope that the application already has keeps its first grant and reason. The people who manage the ' +
      'applications of the organization can remove it. The audit log of the organization records the grant.',
    announces: { event: 'application.changed' },
    auth: { operator: true },
    params: { id: Id, applicationId: Id },
    body: { scope: CriticalScope, reason: Reason(limits.criticalScopeReason, limits.criticalScopeReasonMin) },
    reply: Type.Object({ applicationId: Id, scope: CriticalScope, reason: Type.String(), grantedAt: Time }),
    status: 201,
    errors: ['APPLICATION_NOT_FOUND'],
  },
)
