import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import type { Permission } from '../permissions.ts'
import { FreeObject, Id, Name, Nullable, OneOf, Page, pageQuery, Reason, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { expectedUpdatedAt, Lead, LeadChange, leadStatuses, lossSources } from './shapes.ts'

function teamAccess<const P extends Permission>(permission: P) {
  return { area: 'crm', module: 'crm', capability: 'crm.leads', auth: { session: { permission } } } as const
}
const id = { id: Id }
const reason = Type.Optional(Reason(limits.leadReason))
/** The statuses that the team can set; WON has its own operation. */
export const teamStatuses = ['NEW', 'CONTACTED', 'QUALIFIED', 'NEGOTIATING', 'LOST'] as const
const Target = OneOf(teamStatuses)

export const moveLead = operation('POST /leads/:id/move', {
  ...teamAccess('CRM_EDIT'),
  summary: 'Change the status of a lead',
  description:
    'Allowed: NEW ↔ CONTACTED, CONTACTED and QUALIFIED ↔ NEGOTIATING, any open status → LOST, and LOST → NEW, which reopens ' +
    'the lead. The current status is refused.',
  params: id,
  body: { status: Target, reason, expectedUpdatedAt },
  reply: LeadChange,
  errors: ['LEAD_NOT_FOUND', 'LEAD_ALREADY_CONVERTED', 'LEAD_MOVE_NOT_ALLOWED', 'LEAD_UPDATE_CONFLICT'],
})

/** The result for one lead of a bulk change. */
const BulkResult = Type.Object({
  id: Id,
  changed: Type.Boolean(),
  errorCode: Nullable(Type.String({ description: 'The reason why the lead did not change' })),
})

export const changeLeads = operation('POST /leads/bulk', {
  ...teamAccess('CRM_EDIT'),
  summary: 'Change many leads at once',
  description:
    'Leads that cannot change are reported and left unchanged; the others change at the same moment. A lead that already has ' +
    'the values is not changed, which is not an error.',
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
  summary: 'Export all leads as a CSV file',
  description:
    'Contains the columns of POST /leads/import and a few more, with notes only for callers who may read them. Values that a ' +
    'spreadsheet would read as a formula are prefixed with an apostrophe.',
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
  changed: Type.Array(Type.String({ description: 'A field name' })),
  source: Nullable(OneOf(lossSources)),
  reason: Nullable(Type.String()),
  at: Time,
})
export type LeadHistory = Static<typeof LeadHistory>

export const listLeadHistory = operation('GET /leads/:id/history', {
  ...teamAccess('CRM_VIEW'),
  summary: 'List the history of a lead, latest first',
  params: id,
  query: pageQuery,
  reply: Page(LeadHistory),
  errors: ['LEAD_NOT_FOUND'],
})

export const listLeadDuplicates = operation('GET /leads/:id/duplicates', {
  ...teamAccess('CRM_VIEW'),
  summary: 'List other leads with the e-mail or telephone of a lead',
  description: `In any status, oldest first, at most ${limits.leadDuplicates}. A lead that has both is listed for the e-mail.`,
  params: id,
  reply: Type.Object({
    items: Type.Array(Type.Object({ lead: Lead, matchedOn: OneOf(['email', 'phone']) })),
  }),
  errors: ['LEAD_NOT_FOUND'],
})

/** A mandate of direct debits in the name of an erased person (ERAS-9). */
const ErasedMandate = Type.Object({
  id: Id,
  reference: Type.String(),
  retainedBecause: Nullable(
    OneOf(['USED', 'IN_USE'], {
      description:
        'Null: erased. USED: a collection was sent with it, so it must be kept. IN_USE: a remittance that was not sent contains it',
    }),
  ),
})

export const eraseLead = operation('POST /leads/:id/erase', {
  ...teamAccess('CRM_ERASE'),
  summary: 'Erase the personal data of a lead; cannot be undone',
  description:
    'Removes all personal data from the lead, from the contact that it was converted into, from the reasons in its history, and ' +
    'from the mandates of direct debits in the name of the person that were never used; `mandates` says which stay and why. ' +
    'GET /leads/sync reports the lead as erased.',
  params: id,
  body: { reason: Reason(limits.leadReason, 1) },
  reply: Type.Object({
    id: Id,
    erasedAt: Time,
    contactErased: Type.Boolean(),
    mandates: Type.Array(ErasedMandate),
  }),
  errors: ['LEAD_NOT_FOUND'],
})

const Entries = Type.Array(FreeObject, { description: 'Latest first' })
export const exportPersonalData = operation('POST /leads/:id/personal-data', {
  ...teamAccess('CRM_ERASE'),
  summary: 'Export the personal data of a lead',
  description:
    'Returns the lead with scoring and notes, its history, the contact that it was converted into, its opportunity, its audit ' +
    'entries, and the mandates of direct debits in the name of the person, with their account. The export itself is recorded in the audit log.',
  params: id,
  reply: Type.Object({
    lead: Lead,
    history: Entries,
    contact: Nullable(FreeObject),
    opportunity: Nullable(FreeObject),
    audit: Entries,
    mandates: Entries,
  }),
  errors: ['LEAD_NOT_FOUND'],
})
