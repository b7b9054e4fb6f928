import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Email, Id, OneOf, Text, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import {
  leadLookUpLimit,
  leadReadAccess,
  leadReadLimit,
  leadSyncLimit,
  leadWriteAccess,
  leadWriteLimit,
} from './access.ts'
import {
  expectedUpdatedAt,
  formatted,
  ids,
  include,
  Lead,
  LeadChange,
  leadFields,
  leadStatuses,
  listQuery,
  Paginated,
  Score,
  temperatures,
} from './shapes.ts'

const id = { id: Id }

const duplicate = Type.Object({ id: Id, matchedOn: OneOf(['email', 'phone']) })
/** A new lead, and the other leads with its e-mail or telephone. */
export const NewLead = Type.Object({ ...LeadChange.properties, duplicates: Type.Array(duplicate) })
export type NewLead = Static<typeof NewLead>

/** A new lead, and the fields that were ignored. */
export const CreatedLead = Type.Object({ ...NewLead.properties, ignoredFields: Type.Array(Type.String()) })

export const createLead = operation('POST /leads', {
  ...leadWriteAccess,
  summary: 'Create a lead',
  description:
    'Requires `email` or `phone`. The status is NEW. Other leads with the same e-mail or telephone do not prevent the creation; ' +
    '`duplicates` lists them. `notes` requires the scope crm:leads:read:notes; `score` and `temperature` require ' +
    'crm:leads:read:scoring. Without the scope these fields are not stored, and `ignoredFields` lists them.',
  body: leadFields,
  query: { include },
  reply: CreatedLead,
  status: 201,
  errors: ['NOT_OF_THIS_ORGANIZATION'],
  limit: leadWriteLimit,
})

const dates = {
  createdFrom: Type.Optional(Time),
  createdTo: Type.Optional(Time),
  updatedFrom: Type.Optional(Time),
  updatedTo: Type.Optional(Time),
}
const Assignee = Type.String({
  minLength: 1,
  maxLength: limits.id,
  description: 'The id of a member, or `none` for leads without an assignee',
})
export const leadOrders = ['createdAt', 'updatedAt', 'lastName', 'company', 'score'] as const
export type LeadOrder = (typeof leadOrders)[number]

/** A page of leads. */
export const LeadList = Paginated(Lead)

export const listLeads = operation('GET /leads', {
  ...leadReadAccess,
  summary: 'List leads',
  description:
    'Without `status` and `isConverted` the list has the open leads: NEW, CONTACTED, QUALIFIED, NEGOTIATING. Time ranges include ' +
    'both ends. In ascending order, leads without a name, company or score come first. Ordering by score, and filtering by ' +
    'score or temperature, requires the scope crm:leads:read:scoring. With any other filter, the list considers the newest ' +
    `${formatted(limits.leadsCounted)} leads that match the first of \`assigneeId\`, \`source\`, \`stage\`, \`temperature\`, ` +
    '`assigneeId=none`, `score…` (the highest), `created…`, `updated…` (the most recently changed), and `total` counts those ' +
    'that match all filters. ' +
    `The last page is ${formatted(limits.leadPages)}; use GET /leads/sync to read or follow all leads.`,
  query: {
    ...listQuery,
    status: Type.Optional(Type.Array(OneOf(leadStatuses), { maxItems: leadStatuses.length })),
    isConverted: Type.Optional(Type.Boolean()),
    ids,
    assigneeId: Type.Optional(Assignee),
    source: Type.Optional(Text(limits.leadSource, 1)),
    stage: Type.Optional(Text(limits.leadStage, 1)),
    temperature: Type.Optional(OneOf(temperatures)),
    scoreFrom: Type.Optional(Score),
    scoreTo: Type.Optional(Score),
    ...dates,
    orderBy: Type.Optional(OneOf(leadOrders, { default: 'createdAt' })),
    order: Type.Optional(OneOf(['asc', 'desc'], { default: 'desc' })),
    include,
  },
  reply: LeadList,
  errors: ['INSUFFICIENT_SCOPE'],
  limit: leadReadLimit,
})

export const searchLeads = operation('GET /leads/search', {
  ...leadReadAccess,
  summary: 'Search leads by name, surname, company or e-mail',
  description:
    'Every word of `q` must occur in one of these fields. A word with fewer than three characters must be the beginning of a ' +
    'word. Case and accents are ignored. Results are ordered by their last change, latest first, and include open leads only, unless ' +
    `\`includeClosed\` adds LOST and WON, or \`status\` names others. If ${limits.leadSearchEnough} of the ${formatted(limits.leadSearchNewest)} most recently ` +
    `changed leads (with \`status\`, of those with these statuses) match, the search stops there; otherwise it returns up to ${formatted(limits.leadSearchFound)} older ones.`,
  query: {
    ...listQuery,
    q: Text(limits.leadSearch, limits.leadSearchMin),
    status: Type.Optional(
      Type.Array(OneOf(leadStatuses), {
        maxItems: leadStatuses.length,
        description: 'Only leads with these statuses; `includeClosed` has no effect then',
      }),
    ),
    includeClosed: Type.Optional(Type.Boolean({ default: false })),
    include,
  },
  reply: LeadList,
  limit: leadReadLimit,
})

/** A lead, and the number of open leads with its e-mail. */
export const LeadByEmail = Type.Object({ ...Lead.properties, matches: Type.Integer() })

export const findLeadByEmail = operation('GET /leads/by-email', {
  ...leadReadAccess,
  summary: 'Find a lead by its exact e-mail',
  description:
    'If several open leads match, returns the most recently changed one; `matches` is their number. Lost, converted and ' +
    'erased leads are not found. The response time does not reveal whether a lead exists.',
  query: { email: Email, include },
  reply: LeadByEmail,
  errors: ['EMAIL_NOT_INDEXED_LEAD'],
  limit: leadLookUpLimit,
})

/** The current state of a lead, or the fact that it was erased. */
export const SyncedLead = Type.Object({
  ...Type.Partial(Lead).properties,
  id: Id,
  updatedAt: Time,
  erased: Type.Optional(Type.Boolean({ description: 'True if the lead was erased: delete your copy' })),
})
export type SyncedLead = Static<typeof SyncedLead>

/** A page of changes, with the cursor of the next one. */
export const LeadSyncPage = Type.Object({
  data: Type.Array(SyncedLead),
  nextCursor: Type.String(),
  hasMore: Type.Boolean(),
})

export const syncLeads = operation('GET /leads/sync', {
  ...leadReadAccess,
  summary: 'Sync changes of leads',
  description:
    'Returns all leads, including closed and erased ones, ordered by their last change. Store `nextCursor` after every page, ' +
    'including the last, and continue from it to receive every change. A lead that changes again is returned again: store leads by id.',
  query: {
    cursor: Type.Optional(Text(200, 1)),
    updatedSince: Type.Optional(Time),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: limits.leadSyncPage, default: limits.leadSyncPageDefault }),
    ),
    include,
  },
  reply: LeadSyncPage,
  errors: ['SYNC_CURSOR_EXPIRED'],
  limit: leadSyncLimit,
})

export const readLead = operation('GET /leads/:id', {
  ...leadReadAccess,
  summary: 'Retrieve a lead',
  params: id,
  query: { include },
  reply: Lead,
  errors: ['LEAD_NOT_FOUND'],
  limit: leadReadLimit,
})

/** A lead after a change, and the fields that were ignored. */
export const UpdatedLead = Type.Object({
  ...LeadChange.properties,
  ignoredFields: Type.Array(Type.String({ description: 'A field that the caller may not write' })),
})

export const updateLead = operation('PATCH /leads/:id', {
  ...leadWriteAccess,
  summary: 'Update a lead',
  description:
    'Omitted fields keep their values; `null` clears a field. `email` or `phone` must remain. With `expectedUpdatedAt` the update ' +
    'fails if the lead has changed since then. `notes`, `score` and `temperature` require the scopes of POST /leads; a body that ' +
    'contains only forbidden fields is refused.',
  params: id,
  query: { include },
  body: { ...leadFields, expectedUpdatedAt },
  bodyOptional: true,
  reply: UpdatedLead,
  errors: [
    'LEAD_NOT_FOUND',
    'LEAD_ALREADY_CONVERTED',
    'LEAD_UPDATE_CONFLICT',
    'NOTHING_TO_CHANGE',
    'NOT_OF_THIS_ORGANIZATION',
    'INSUFFICIENT_SCOPE',
    'PERMISSION_DENIED',
  ],
  limit: leadWriteLimit,
})
