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
    summary: 'Give an application of an organization a critical scope, with the reason',
    description:
      'A scope that it has already stays as it was given. It is taken away by whoever manages the applications of ' +
      'that organization. The audit log of the organization tells it.',
    auth: { operator: true },
    params: { id: Id, applicationId: Id },
    body: { scope: CriticalScope, reason: Reason(limits.criticalScopeReason, limits.criticalScopeReasonMin) },
    reply: Type.Object({ applicationId: Id, scope: CriticalScope, reason: Type.String(), grantedAt: Time }),
    status: 201,
    errors: ['APPLICATION_NOT_FOUND'],
  },
)
