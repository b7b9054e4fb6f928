import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import type { Permission } from '../permissions.ts'
import { FreeObject, Id, Name, Nullable, OneOf, Page, pageQuery, Reason, Time } from '../shapes.ts'
import { expectedUpdatedAt, Lead, LeadChange, leadStatuses, lossSources } from './shapes.ts'

function teamAccess<const P extends Permission>(permission: P) {
  return { area: 'crm', module: 'crm', capability: 'crm.leads', auth: { session: { permission } } } as const
}
const id = { id: Id }
const reason = Type.Optional(Reason(limits.leadReason))
/** Where the team may take a lead; WON has an operation of its own. */
export const teamStatuses = ['NEW', 'CONTACTED', 'QUALIFIED', 'NEGOTIATING', 'LOST'] as const
const Target = OneOf(teamStatuses)

export const moveLead = operation('POST /leads/:id/move', {
  ...teamAccess('CRM_EDIT'),
  summary: 'Take a lead to another status',
  description:
    'NEW ↔ CONTACTED, CONTACTED and QUALIFIED ↔ NEGOTIATING, any open one → LOST, and LOST → NEW, which opens it again. ' +
    'Not to the status that it has.',
  params: id,
  body: { status: Target, reason, expectedUpdatedAt },
  reply: LeadChange,
  errors: ['LEAD_NOT_FOUND', 'LEAD_ALREADY_CONVERTED', 'LEAD_MOVE_NOT_ALLOWED', 'LEAD_UPDATE_CONFLICT'],
})

/** What came of one lead in a change of many. */
const BulkResult = Type.Object({
  id: Id,
  changed: Type.Boolean(),
  errorCode: Nullable(Type.String({ description: 'Why it was left as it was' })),
})

export const changeLeads = operation('POST /leads/bulk', {
  ...teamAccess('CRM_EDIT'),
  summary: 'Change many leads at once',
  description:
    'Each for itself: what cannot be changed is told and left as it was. The others change at one moment. One that is so ' +
    'already is not changed, and that is no error.',
  body: {
    ids: Type.Array(Id, { minItems: 1, maxItems: limits.leadsPerBulkChange, uniqueItems: true }),
    status: Type.Optional(Target),
    stage: Type.Optional(Nullable(Name(limits.leadStage))),
    assigneeId: Type.Optional(Nullable(Id)),
    reason,
  },
  reply: Type.Object({ items: Type.Array(BulkResult), changed: Type.Integer(), recordedAt: Nullable(Time) }),
  errors: ['NOTHING_TO_CHANGE', 'NOT_OF_THIS_ORGANIZATION'],
})

export const exportLeads = operation('GET /leads/export', {
  ...teamAccess('CRM_VIEW'),
  summary: 'All leads as a CSV file',
  description:
    'In the columns of POST /leads/import and a few more. Notes are in it for who may read them. Texts that a spreadsheet ' +
    'would take for a formula begin with an apostrophe.',
  query: { status: Type.Optional(Type.Array(OneOf(leadStatuses), { maxItems: leadStatuses.length })) },
  responseType: 'text/csv',
})

export const LeadHistory = Type.Object({
  id: Id,
  action: Type.String(),
  actor: Type.Object({
    kind: OneOf(['USER', 'APP', 'SYSTEM']),
    id: Nullable(Id),
    name: Nullable(Type.String()),
  }),
  fromStatus: Nullable(OneOf(leadStatuses)),
  toStatus: OneOf(leadStatuses),
  changed: Type.Array(Type.String({ description: 'Names of fields' })),
  source: Nullable(OneOf(lossSources)),
  reason: Nullable(Type.String()),
  at: Time,
})
export type LeadHistory = Static<typeof LeadHistory>

export const listLeadHistory = operation('GET /leads/:id/history', {
  ...teamAccess('CRM_VIEW'),
  summary: 'What happened to a lead, the latest first',
  params: id,
  query: pageQuery,
  reply: Page(LeadHistory),
  errors: ['LEAD_NOT_FOUND'],
})

export const eraseLead = operation('POST /leads/:id/erase', {
  ...teamAccess('CRM_ERASE'),
  summary: 'Erase a person on their request; cannot be undone',
  description:
    'Everything that tells who the lead was is taken away, of the contact that it became too, and of what was said about ' +
    'it. Who follows GET /leads/sync is told that it was erased.',
  params: id,
  body: { reason: Reason(limits.leadReason, 1) },
  reply: Type.Object({ id: Id, erasedAt: Time, contactErased: Type.Boolean() }),
  errors: ['LEAD_NOT_FOUND'],
})

const Entries = Type.Array(FreeObject, { description: 'The latest first' })
export const exportPersonalData = operation('POST /leads/:id/personal-data', {
  ...teamAccess('CRM_ERASE'),
  summary: 'Everything that is kept of the person behind a lead',
  description:
    'The lead with scoring and notes, its history, the contact that it became, its opportunity, and what the audit log says ' +
    'of it. That it was handed out is recorded there too.',
  params: id,
  reply: Type.Object({
    lead: Lead,
    history: Entries,
    contact: Nullable(FreeObject),
    opportunity: Nullable(FreeObject),
    audit: Entries,
  }),
  errors: ['LEAD_NOT_FOUND'],
})
