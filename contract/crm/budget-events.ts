import { forApplications } from '../event.ts'
import { Id, Nullable, OneOf, Time } from '../shapes.ts'
import { Type } from '../type.ts'

/** The event for applications that keep a copy of budgets (BUD-20). */
export const budgetEvents = {
  BUDGET_SIGNED: forApplications({
    scope: 'crm:budgets:signatures:read',
    schemaVersion: '2026-11',
    reaches: 'subscribers',
    includesActor: true,
    announces: { event: 'budget.changed', id: 'budgetId' },
    data: Type.Object({
      budgetId: Id,
      code: Type.String(),
      signatureId: Id,
      signedAt: Time,
      hashVersion: Type.Integer(),
      via: OneOf(['LINK', 'PORTAL', 'IMPORT']),
      signingTokenId: Nullable(Id),
    }),
  }),
} as const
