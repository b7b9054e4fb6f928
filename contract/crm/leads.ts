import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Email, Id, OneOf, Text, Time } from '../shapes.ts'
import { hourlyLimit, leadReadAccess, leadReadLimit, leadWriteAccess, leadWriteLimit } from './access.ts'
import {
  expectedUpdatedAt,
  include,
  Lead,
  LeadChange,
  leadFields,
  leadStatuses,
  listQuery,
  Paginated,
} from './shapes.ts'

const formatted = (n: number) => n.toLocaleString('en')
const id = { id: Id }

const duplicate = Type.Object({ id: Id, matchedOn: OneOf(['email', 'phone']) })
/** A new lead, and which others there are with its e-mail or telephone. */
export const NewLead = Type.Object({ ...LeadChange.properties, duplicates: Type.Array(duplicate) })
export type NewLead = Static<typeof NewLead>

/** A new lead, and the fields that were left out. */
export const CreatedLead = Type.Object({ ...NewLead.properties, ignoredFields: Type.Array(Type.String()) })

export const createLead = operation('POST /leads', {
  ...leadWriteAccess,
  summary: 'Create a lead',
  description:
    'At least `email` or `phone`. It begins as NEW. One that is there already with the same e-mail or telephone does not ' +
    'hinder it: it is named in `duplicates`. `notes` need the scope crm:leads:read:notes, `score` and `temperature` ' +
    'crm:leads:read:scoring: without, they are named in `ignoredFields` and not kept.',
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
export const leadOrders = ['createdAt', 'updatedAt', 'lastName', 'company', 'score'] as const
export type LeadOrder = (typeof leadOrders)[number]

/** A page of leads. */
export const LeadList = Paginated(Lead)

export const listLeads = operation('GET /leads', {
  ...leadReadAccess,
  summary: 'List leads',
  description:
    'Without `status` and `isConverted` those that are open: NEW, CONTACTED, QUALIFIED, NEGOTIATING. The ends of a time ' +
    'belong to it. What has no name, company or score comes first in ascending order. To be ordered by score needs ' +
    'crm:leads:read:scoring. With other filters than these two the newest ' +
    `${formatted(limits.leadsCounted)} leads that fit the first of \`assigneeId\`, \`source\`, \`created…\`, ` +
    '`updated…` (of the last: those changed last) are looked at, and `total` counts those that fit all. ' +
    `Pages go up to ${formatted(limits.leadPages)}; to read or follow all leads use GET /leads/sync.`,
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
  reply: LeadList,
  errors: ['INSUFFICIENT_SCOPE'],
  limit: leadReadLimit,
})

export const searchLeads = operation('GET /leads/search', {
  ...leadReadAccess,
  summary: 'Find leads by name, surname, company or e-mail',
  description:
    'Every word of `q` is a part of any of them, or, when it has less than three characters, the beginning of a word after ' +
    'a space; capitals and accents make no difference. The latest change comes first. Those that are open, unless ' +
    `\`includeClosed\` adds LOST and WON. When ${limits.leadSearchEnough} of the ${formatted(limits.leadSearchNewest)} leads that ` +
    `changed last fit, others are not looked for; else at most ${formatted(limits.leadSearchFound)} others are found.`,
  query: {
    ...listQuery,
    q: Text(limits.leadSearch, limits.leadSearchMin),
    includeClosed: Type.Optional(Type.Boolean({ default: false })),
    include,
  },
  reply: LeadList,
  limit: leadReadLimit,
})

/** A lead, and how many open ones have its e-mail. */
export const LeadByEmail = Type.Object({ ...Lead.properties, matches: Type.Integer() })

export const findLeadByEmail = operation('GET /leads/by-email', {
  ...leadReadAccess,
  summary: 'The lead with exactly this e-mail',
  description:
    'Of several open ones the one changed last, with their number in `matches`. What is lost, converted or erased is as if ' +
    'it were not there; whether there is one or not takes the same time.',
  query: { email: Email, include },
  reply: LeadByEmail,
  errors: ['EMAIL_NOT_INDEXED_LEAD'],
  limit: hourlyLimit('leads-by-email', limits.leadsByEmailPerHour),
})

/** A lead as it is now, or that it was erased. */
export const SyncedLead = Type.Object({
  ...Type.Partial(Lead).properties,
  id: Id,
  updatedAt: Time,
  erased: Type.Optional(Type.Boolean({ description: 'True: forget what you know of it' })),
})
export type SyncedLead = Static<typeof SyncedLead>

/** A page of changes, and where the next one begins. */
export const LeadSyncPage = Type.Object({
  data: Type.Array(SyncedLead),
  nextCursor: Type.String(),
  hasMore: Type.Boolean(),
})

export const syncLeads = operation('GET /leads/sync', {
  ...leadReadAccess,
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
  reply: LeadSyncPage,
  errors: ['SYNC_CURSOR_EXPIRED'],
  limit: hourlyLimit('lead-syncs', limits.leadSyncsPerHour),
})

export const readLead = operation('GET /leads/:id', {
  ...leadReadAccess,
  summary: 'A lead',
  params: id,
  query: { include },
  reply: Lead,
  errors: ['LEAD_NOT_FOUND'],
  limit: leadReadLimit,
})

/** A lead after a change, and the fields that were left as they are. */
export const UpdatedLead = Type.Object({
  ...LeadChange.properties,
  ignoredFields: Type.Array(Type.String({ description: 'Fields that the caller may not write' })),
})

export const updateLead = operation('PATCH /leads/:id', {
  ...leadWriteAccess,
  summary: 'Change what is known of a lead',
  description:
    'What is left out stays as it is, and `null` takes it away; `email` or `phone` remains. With `expectedUpdatedAt` only as ' +
    'long as nobody else changed it. `notes`, `score` and `temperature` as in POST /leads; when nothing else is given the ' +
    'call is refused.',
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
