import type { TProperties } from 'typebox'
import { forApplications } from '../event.ts'
import type { ChangeAnnouncement } from '../people-events.ts'
import type { Scope } from '../permissions.ts'
import { Id, Nullable, OneOf, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { LeadActor, leadStatuses, lossSources, Score, Temperature } from './shapes.ts'

// identifiers instead of values: the subscriber reads the lead with its own scopes
const common = {
  leadId: Id,
  status: OneOf(leadStatuses),
  isConverted: Type.Boolean(),
  updatedAt: Time,
  changeId: Type.String({ description: 'The same in all events of one change' }),
  actor: LeadActor,
  source: Nullable(OneOf(lossSources)),
}
const scoringScope = 'crm:leads:read:scoring'
const readScope = { scope: 'crm:leads:read' } as const
function leadEvent<const Data extends TProperties>(
  data: Data,
  to: { scope: Scope; splitsBy?: Scope } = readScope,
  change?: ChangeAnnouncement['change'],
) {
  return forApplications({
    ...to,
    announces: { event: 'lead.changed', id: 'leadId', ...(change && { change }) },
    schemaVersion: '2026-11',
    reaches: 'subscribers',
    includesActor: false,
    data: Type.Object({ ...common, ...data }),
  })
}
const Value = Type.Unsafe<string | number | null>({ type: ['string', 'integer', 'null'] })
const decision = {
  previousStatus: OneOf(leadStatuses),
  reason: Nullable(Type.String()),
  recordedAt: Time,
}

/** The fields whose changes LEAD_UPDATED lists (LEVT-6). */
export const announcedFields = ['email', 'status', 'stage', 'score', 'assigneeId'] as const

/** The events about leads (LEVT-1 to LEVT-6). */
export const leadEvents = {
  LEAD_CREATED: leadEvent(
    { createdAt: Time, hasEmail: Type.Boolean(), hasPhone: Type.Boolean() },
    readScope,
    'created',
  ),
  LEAD_UPDATED: leadEvent(
    {
      changes: Type.Array(
        Type.Object({
          field: OneOf(announcedFields),
          from: Type.Optional(Value),
          to: Type.Optional(Value),
          redacted: Type.Optional(Type.Boolean({ description: 'True if both values are omitted' })),
        }),
        { minItems: 1, description: 'The score is included only with the scope crm:leads:read:scoring' },
      ),
    },
    { ...readScope, splitsBy: scoringScope },
  ),
  LEAD_QUALIFIED: leadEvent(decision),
  LEAD_DISQUALIFIED: leadEvent(decision),
  LEAD_CONVERTED: leadEvent({ contactId: Id, opportunityId: Nullable(Id), clientId: Id, convertedAt: Time }),
  LEAD_SCORE_UPDATED: leadEvent(
    {
      score: Nullable(Score),
      temperature: Nullable(Temperature),
      previousScore: Nullable(Score),
      previousTemperature: Nullable(Temperature),
    },
    { scope: scoringScope },
  ),
  LEAD_ERASED: leadEvent({ erasedAt: Time }, readScope, 'removed'),
} as const
