import Type, { type TProperties } from 'typebox'
import { forApplications } from '../event.ts'
import type { Scope } from '../permissions.ts'
import { Id, Nullable, OneOf, Time } from '../shapes.ts'
import { LeadActor, leadStatuses, lossSources, Score, Temperature } from './shapes.ts'

// identifiers and not values: who is told reads the lead with its own scopes
const head = {
  leadId: Id,
  status: OneOf(leadStatuses),
  isConverted: Type.Boolean(),
  updatedAt: Time,
  changeId: Type.String({ description: 'The same in all notices of one change' }),
  actor: LeadActor,
  source: Nullable(OneOf(lossSources)),
}
const scoring = 'crm:leads:read:scoring'
const all = { scope: 'crm:leads:read' } as const
function ofLead<const Data extends TProperties>(data: Data, to: { scope: Scope; splitsBy?: Scope } = all) {
  return forApplications({
    ...to,
    schemaVersion: '2026-11',
    reaches: 'subscribers',
    isToldToActor: false,
    data: Type.Object({ ...head, ...data }),
  })
}
const Value = Type.Unsafe<string | number | null>({ type: ['string', 'integer', 'null'] })
const decided = {
  previousStatus: OneOf(leadStatuses),
  reason: Nullable(Type.String()),
  recordedAt: Time,
}

/** The fields whose change LEAD_UPDATED announces (LEVT-6). */
export const toldFields = ['email', 'status', 'stage', 'score', 'assigneeId'] as const

/** The notices about leads (LEVT-1 to LEVT-6). */
export const leadEvents = {
  LEAD_CREATED: ofLead({ createdAt: Time, hasEmail: Type.Boolean(), hasPhone: Type.Boolean() }),
  LEAD_UPDATED: ofLead(
    {
      changes: Type.Array(
        Type.Object({
          field: OneOf(toldFields),
          from: Type.Optional(Value),
          to: Type.Optional(Value),
          redacted: Type.Optional(Type.Boolean({ description: 'True: both values are left out' })),
        }),
        { minItems: 1, description: 'The score is told with the scope crm:leads:read:scoring only' },
      ),
    },
    { ...all, splitsBy: scoring },
  ),
  LEAD_QUALIFIED: ofLead(decided),
  LEAD_DISQUALIFIED: ofLead(decided),
  LEAD_CONVERTED: ofLead({ contactId: Id, opportunityId: Nullable(Id), clientId: Id, convertedAt: Time }),
  LEAD_SCORE_UPDATED: ofLead(
    {
      score: Nullable(Score),
      temperature: Nullable(Temperature),
      previousScore: Nullable(Score),
      previousTemperature: Nullable(Temperature),
    },
    { scope: scoring },
  ),
  LEAD_ERASED: ofLead({ erasedAt: Time }),
} as const
