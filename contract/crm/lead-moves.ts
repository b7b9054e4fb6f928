import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Nullable, OneOf, Reason, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { leadAccess, leadWriteAccess, leadWriteLimit } from './access.ts'
import {
  changeSources,
  expectedUpdatedAt,
  Lead,
  LeadChange,
  lossSources,
  Score,
  Temperature,
} from './shapes.ts'

const id = { id: Id }
const reason = Type.Optional(Reason(limits.leadReason))
const changeErrors = ['LEAD_NOT_FOUND', 'LEAD_ALREADY_CONVERTED'] as const

export const scoreLead = operation('POST /leads/:id/score', {
  ...leadWriteAccess,
  auth: {
    apiKey: { scope: 'crm:leads:write', also: 'crm:leads:read:scoring' },
    session: { permission: 'CRM_EDIT' },
  },
  summary: 'Score a lead',
  description: 'Set `score`, `temperature` or both; null clears a value. The reply shows both.',
  params: id,
  body: {
    score: Type.Optional(Nullable(Score)),
    temperature: Type.Optional(Nullable(Temperature)),
    reason,
    expectedUpdatedAt,
  },
  reply: LeadChange,
  errors: [...changeErrors, 'LEAD_UPDATE_CONFLICT', 'NOTHING_TO_CHANGE'],
  limit: leadWriteLimit,
})

export const qualifyLead = operation('POST /leads/:id/qualify', {
  ...leadWriteAccess,
  summary: 'Qualify a new lead',
  params: id,
  body: { reason, source: Type.Optional(OneOf(changeSources)) },
  bodyOptional: true,
  reply: LeadChange,
  errors: [...changeErrors, 'LEAD_ALREADY_QUALIFIED', 'LEAD_ALREADY_LOST'],
  limit: leadWriteLimit,
})

export const disqualifyLead = operation('POST /leads/:id/disqualify', {
  ...leadWriteAccess,
  summary: 'Disqualify a lead: its status becomes LOST',
  params: id,
  body: { reason, source: Type.Optional(OneOf(lossSources)) },
  bodyOptional: true,
  reply: LeadChange,
  errors: [...changeErrors, 'LEAD_ALREADY_DISQUALIFIED', 'LEAD_ALREADY_LOST'],
  limit: leadWriteLimit,
})

/** The result of a conversion. */
export const ConvertedLead = Type.Object({
  lead: Lead,
  contactId: Id,
  contactReused: Type.Boolean(),
  opportunityId: Type.Optional(Id),
  clientId: Id,
  createdAt: Time,
})

export const convertLead = operation('POST /leads/:id/convert', {
  ...leadAccess('crm:leads:convert', 'CRM_EDIT'),
  summary: 'Convert a lead into a contact; cannot be undone',
  description:
    'The contact belongs to the client `targetClientId`, or to a new client created from the lead. If that client has a contact ' +
    'with the same e-mail, that contact is reused and only its empty fields are filled in. `createOpportunity` also creates an opportunity.',
  params: id,
  body: {
    reason: Type.Optional(Reason(limits.leadConvertReason)),
    createOpportunity: Type.Optional(Type.Boolean({ default: false })),
    targetClientId: Type.Optional(Id),
  },
  bodyOptional: true,
  // LEAD_CONVERSION_REQUIRES_REASON
  documentedBody: { reason: Reason(limits.leadConvertReason, limits.leadConvertReasonMin) },
  reply: ConvertedLead,
  errors: [...changeErrors, 'LEAD_CONVERSION_REQUIRES_REASON', 'NOT_OF_THIS_ORGANIZATION'],
  limit: leadWriteLimit,
})
