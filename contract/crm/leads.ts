import Type, { type Static } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import type { Permission, Scope } from '../permissions.ts'
import { Email, Id, Nullable, OneOf, Text, Time } from '../shapes.ts'
import {
  expectedUpdatedAt,
  include,
  Lead,
  LeadChange,
  Listed,
  leadFields,
  leadStatuses,
  listQuery,
  Score,
  Temperature,
} from './shapes.ts'

const inWords = (n: number) => n.toLocaleString('en')
const hour = 3_600
const perHour = (bucket: string, times: number) =>
  ({ bucket, times, windowSeconds: hour, per: 'key' }) as const
const reading = perHour('lead-reads', limits.leadReadsPerHour)
const writing = perHour('lead-writes', limits.leadWritesPerHour)

function ofLeads<const S extends Scope, const P extends Permission>(scope: S, permission: P) {
  return {
    area: 'crm',
    module: 'crm',
    capability: 'crm.leads',
    doors: { application: { scope }, people: { permission } },
  } as const
}
const toRead = ofLeads('crm:leads:read', 'CRM_VIEW')
const toWrite = ofLeads('crm:leads:write', 'CRM_EDIT')
const id = { id: Id }

const duplicate = Type.Object({ id: Id, matchedOn: OneOf(['email', 'phone']) })
/** A new lead, and which others there are with its e-mail or telephone. */
export const NewLead = Type.Object({ ...LeadChange.properties, duplicates: Type.Array(duplicate) })
export type NewLead = Static<typeof NewLead>

export const createLead = endpoint('POST /leads', {
  ...toWrite,
  summary: 'Create a lead',
  description:
    'At least `email` or `phone`. It begins as NEW. One that is there already with the same e-mail or telephone does not ' +
    'hinder it: it is named in `duplicates`. `notes` need the scope crm:leads:read:notes, `score` and `temperature` ' +
    'crm:leads:read:scoring: without, they are named in `ignoredFields` and not kept.',
  body: leadFields,
  query: { include },
  reply: Type.Object({ ...NewLead.properties, ignoredFields: Type.Array(Type.String()) }),
  status: 201,
  errors: ['NOT_OF_THIS_ORGANIZATION'],
  limit: writing,
})

const dates = {
  createdFrom: Type.Optional(Time),
  createdTo: Type.Optional(Time),
  updatedFrom: Type.Optional(Time),
  updatedTo: Type.Optional(Time),
}
export const leadOrders = ['createdAt', 'updatedAt', 'lastName', 'company', 'score'] as const
export type LeadOrder = (typeof leadOrders)[number]

export const listLeads = endpoint('GET /leads', {
  ...toRead,
  summary: 'List leads',
  description:
    'Without `status` and `isConverted` those that are open: NEW, CONTACTED, QUALIFIED, NEGOTIATING. The ends of a time ' +
    'belong to it. What has no name, company or score comes first in ascending order. To be ordered by score needs ' +
    'crm:leads:read:scoring. With other filters than these two the newest ' +
    `${inWords(limits.leadsCounted)} leads that fit the first of \`assigneeId\`, \`source\`, \`created…\`, ` +
    '`updated…` (of the last: those changed last) are looked at, and `total` counts those that fit all. ' +
    `Pages go up to ${inWords(limits.leadPages)}; to read or follow all leads use GET /leads/sync.`,
  query: {
    ...listQuery,
    status: Type.Optional(Type.Array(OneOf(leadStatuses), { maxItems: leadStatuses.length })),
    isConverted: Type.Optional(Type.Boolean()),
    assigneeId: Type.Optional(Id),
    source: Type.Optional(Text(limits.leadSource, 1)),
    ...dates,
    orderBy: Type.Optional(OneOf(leadOrders, { default: 'createdAt' })),
    order: Type.Optional(OneOf(['asc', 'desc'], { default: 'desc' })),
    include,
  },
  reply: Listed(Lead),
  errors: ['INSUFFICIENT_SCOPE'],
  limit: reading,
})

export const searchLeads = endpoint('GET /leads/search', {
  ...toRead,
  summary: 'Find leads by name, surname, company or e-mail',
  description:
    'Every word of `q` is a part of any of them, or, when it has less than three characters, the beginning of a word after ' +
    'a space; capitals and accents make no difference. The latest change comes first. Those that are open, unless ' +
    `\`includeClosed\` adds LOST and WON. When ${limits.leadSearchEnough} of the ${inWords(limits.leadSearchNewest)} leads that ` +
    `changed last fit, others are not looked for; else at most ${inWords(limits.leadSearchFound)} others are found.`,
  query: {
    ...listQuery,
    q: Text(limits.leadSearch, limits.leadSearchMin),
    includeClosed: Type.Optional(Type.Boolean({ default: false })),
    include,
  },
  reply: Listed(Lead),
  limit: reading,
})

export const findLeadByEmail = endpoint('GET /leads/by-email', {
  ...toRead,
  summary: 'The lead with exactly this e-mail',
  description:
    'Of several open ones the one changed last, with their number in `matches`. What is lost, converted or erased is as if ' +
    'it were not there; whether there is one or not takes the same time.',
  query: { email: Email, include },
  reply: Type.Object({ ...Lead.properties, matches: Type.Integer() }),
  errors: ['EMAIL_NOT_INDEXED_LEAD'],
  limit: perHour('leads-by-email', limits.leadsByEmailPerHour),
})

/** A lead as it is now, or that it was erased. */
export const SyncedLead = Type.Object({
  ...Type.Partial(Lead).properties,
  id: Id,
  updatedAt: Time,
  erased: Type.Optional(Type.Boolean({ description: 'True: forget what you know of it' })),
})
export type SyncedLead = Static<typeof SyncedLead>

export const syncLeads = endpoint('GET /leads/sync', {
  ...toRead,
  summary: 'Follow changes of leads',
  description:
    'All leads, closed and erased ones too, in the order of their last change. Store `nextCursor` after each page, also the ' +
    'last, and go on from it: no change is missed. One that changes again is told again: keep leads by id.',
  query: {
    cursor: Type.Optional(Text(200, 1)),
    updatedSince: Type.Optional(Time),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: limits.leadSyncPage, default: limits.leadSyncPageDefault }),
    ),
    include,
  },
  reply: Type.Object({
    data: Type.Array(SyncedLead),
    nextCursor: Type.String(),
    hasMore: Type.Boolean(),
  }),
  errors: ['SYNC_CURSOR_EXPIRED'],
  limit: perHour('lead-syncs', limits.leadSyncsPerHour),
})

export const readLead = endpoint('GET /leads/:id', {
  ...toRead,
  summary: 'A lead',
  params: id,
  query: { include },
  reply: Lead,
  errors: ['LEAD_NOT_FOUND'],
  limit: reading,
})

const moved = ['external_app', 'crm_sync', 'manual', 'automation'] as const
const reason = Type.Optional(Text(limits.leadReason))
const changing = ['LEAD_NOT_FOUND', 'LEAD_ALREADY_CONVERTED'] as const

export const updateLead = endpoint('PATCH /leads/:id', {
  ...toWrite,
  summary: 'Change what is known of a lead',
  description:
    'What is left out stays as it is, and `null` takes it away; `email` or `phone` remains. With `expectedUpdatedAt` only as ' +
    'long as nobody else changed it. `notes`, `score` and `temperature` as in POST /leads; when nothing else is given the ' +
    'call is refused.',
  params: id,
  query: { include },
  body: { ...leadFields, expectedUpdatedAt },
  bodyOptional: true,
  reply: Type.Object({
    ...LeadChange.properties,
    ignoredFields: Type.Array(Type.String({ description: 'Fields that the caller may not write' })),
  }),
  errors: [
    ...changing,
    'LEAD_UPDATE_CONFLICT',
    'NOTHING_TO_CHANGE',
    'NOT_OF_THIS_ORGANIZATION',
    'INSUFFICIENT_SCOPE',
    'PERMISSION_DENIED',
  ],
  limit: writing,
})

export const scoreLead = endpoint('POST /leads/:id/score', {
  ...toWrite,
  doors: {
    application: { scope: 'crm:leads:write', also: 'crm:leads:read:scoring' },
    people: { permission: 'CRM_EDIT' },
  },
  summary: 'Score a lead',
  description: '`score` or `temperature`, or both; null takes it away. The answer shows both.',
  params: id,
  body: {
    score: Type.Optional(Nullable(Score)),
    temperature: Type.Optional(Nullable(Temperature)),
    reason,
    expectedUpdatedAt,
  },
  reply: LeadChange,
  errors: [...changing, 'LEAD_UPDATE_CONFLICT', 'NOTHING_TO_CHANGE'],
  limit: writing,
})

export const qualifyLead = endpoint('POST /leads/:id/qualify', {
  ...toWrite,
  summary: 'Move a new lead to QUALIFIED',
  params: id,
  body: { reason, source: Type.Optional(OneOf(moved)) },
  bodyOptional: true,
  reply: LeadChange,
  errors: [...changing, 'LEAD_ALREADY_QUALIFIED', 'LEAD_ALREADY_LOST'],
  limit: writing,
})

export const disqualifyLead = endpoint('POST /leads/:id/disqualify', {
  ...toWrite,
  summary: 'Give up on a lead: LOST',
  params: id,
  body: { reason, source: Type.Optional(OneOf([...moved, 'bounce'])) },
  bodyOptional: true,
  reply: LeadChange,
  errors: [...changing, 'LEAD_ALREADY_DISQUALIFIED', 'LEAD_ALREADY_LOST'],
  limit: writing,
})

export const convertLead = endpoint('POST /leads/:id/convert', {
  ...ofLeads('crm:leads:convert', 'CRM_EDIT'),
  summary: 'Make a contact of a lead; cannot be undone',
  description:
    'The contact belongs to the client `targetClientId`, or to a new one made from the lead. A contact of that client with ' +
    'the same e-mail is taken, and only what it lacks is filled in. With `createOpportunity` an opportunity is made too.',
  params: id,
  body: {
    reason: Type.Optional(Text(limits.leadConvertReason)),
    createOpportunity: Type.Optional(Type.Boolean({ default: false })),
    targetClientId: Type.Optional(Id),
  },
  bodyOptional: true,
  reply: Type.Object({
    lead: Lead,
    contactId: Id,
    contactReused: Type.Boolean(),
    opportunityId: Type.Optional(Id),
    clientId: Id,
    createdAt: Time,
  }),
  errors: [...changing, 'LEAD_CONVERSION_REQUIRES_REASON', 'NOT_OF_THIS_ORGANIZATION'],
  limit: writing,
})
