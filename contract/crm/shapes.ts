import Type, { type Static, type TSchema } from 'typebox'
import { limits } from '../limits.ts'
import { Email, Id, Name, Named, Nullable, OneOf, Text, Time } from '../shapes.ts'

/** The statuses of a lead: see the table above LEAD-20. */
export const leadStatuses = ['NEW', 'CONTACTED', 'QUALIFIED', 'NEGOTIATING', 'LOST', 'WON'] as const
export type LeadStatus = (typeof leadStatuses)[number]
export const LeadStatus = OneOf(leadStatuses)
/** What lists hold when nothing else is asked for: nobody gave up on them, and they are not converted. */
export const openStatuses = ['NEW', 'CONTACTED', 'QUALIFIED', 'NEGOTIATING'] as const
export const temperatures = ['COLD', 'WARM', 'HOT'] as const
export type Temperature = (typeof temperatures)[number]

/** Parts of a lead that are given to who asks for them, and may. */
export const leadParts = ['scoring', 'notes'] as const
export type LeadPart = (typeof leadParts)[number]
export const LeadPart = OneOf(leadParts)

/** `include=scoring&include=notes`. */
export const include = Type.Optional(
  Type.Array(OneOf(leadParts), {
    maxItems: leadParts.length,
    description:
      'Parts that are left out otherwise; several times for several. What the caller may not read is left out without an ' +
      'error, and named in the header X-Service-Omitted.',
  }),
)

export const Score = Type.Integer({ minimum: 0, maximum: 100 })
export const Temperature = OneOf(temperatures)

/** A lead as operations answer it (LEAD-1, LEAD-2). */
export const Lead = Type.Object({
  id: Id,
  email: Nullable(Type.String()),
  phone: Nullable(Type.String()),
  firstName: Nullable(Type.String()),
  lastName: Nullable(Type.String()),
  company: Nullable(Type.String()),
  status: OneOf(leadStatuses),
  stage: Nullable(Type.String({ description: 'A step of the team’s own, beside the status' })),
  source: Nullable(Type.String({ description: 'Where the lead came from' })),
  assigneeId: Nullable(Id),
  isConverted: Type.Boolean(),
  contactId: Nullable(Id),
  opportunityId: Nullable(Id),
  clientId: Nullable(Id),
  qualifiedAt: Nullable(Time),
  lostAt: Nullable(Time),
  convertedAt: Nullable(Time),
  createdAt: Time,
  updatedAt: Time,
  score: Type.Optional(Nullable(Score)),
  temperature: Type.Optional(Nullable(Temperature)),
  notes: Type.Optional(Nullable(Type.String())),
})
export type Lead = Static<typeof Lead>

/** The answer of a change (LEAD-18). */
export const LeadChange = Type.Object({
  lead: Lead,
  changed: Type.Boolean({ description: 'False when the lead was so already' }),
  recordedAt: Time,
})
export type LeadChange = Static<typeof LeadChange>

/** What is known of a lead, as it is given. `null` takes it away. */
export const leadFields = {
  email: Type.Optional(Nullable(Email)),
  phone: Type.Optional(Nullable(Name(limits.leadPhone))),
  firstName: Type.Optional(Nullable(Name(limits.leadName))),
  lastName: Type.Optional(Nullable(Name(limits.leadName))),
  company: Type.Optional(Nullable(Name(limits.leadCompany))),
  source: Type.Optional(Nullable(Name(limits.leadSource))),
  stage: Type.Optional(Nullable(Name(limits.leadStage))),
  assigneeId: Type.Optional(Nullable(Id)),
  notes: Type.Optional(Nullable(Text(limits.leadNotes))),
  score: Type.Optional(Nullable(Score)),
  temperature: Type.Optional(Nullable(Temperature)),
}

/** The origin of a change, as qualify and disqualify take it (LEAD-24). */
export const changeSources = ['external_app', 'crm_sync', 'manual', 'automation'] as const
export const lossSources = [...changeSources, 'bounce'] as const
export type ChangeSource = (typeof lossSources)[number]
export const LossSource = OneOf(lossSources)

/** By whom a lead was changed. */
export const LeadActor = Type.Object({ kind: OneOf(['USER', 'APP', 'SYSTEM']), id: Nullable(Id) })

/** Refused when the lead was changed after this moment, as `updatedAt` of what was read. */
export const expectedUpdatedAt = Type.Optional(Time)

export const Pagination = Type.Object({
  page: Type.Integer(),
  limit: Type.Integer(),
  total: Type.Integer(),
  totalPages: Type.Integer(),
  hasNextPage: Type.Boolean(),
  hasPreviousPage: Type.Boolean(),
})
/** The shape of a list with pages (LEAD-35). */
export function Paginated<Item extends TSchema>(item: Item) {
  return Type.Object({
    data: Type.Array(item),
    pagination: Pagination,
  })
}

/** Query parameters of such a list. */
export const listQuery = {
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.leadPages, default: 1 })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: limits.pageLimit, default: limits.pageLimitDefault }),
  ),
}

export const Country = Named(
  Type.String({
    maxLength: 2,
    pattern: '^[A-Z]{2}$',
    description: 'ISO 3166-1, two letters',
  }),
)

/** Query parameters of the lists of clients and contacts, and what is told of them. */
export const search = Type.Optional(Text(limits.search, 2))
export const archived = Type.Optional(
  Type.Boolean({ default: false, description: 'Those that are archived' }),
)
export const countLimitNote = `At most ${limits.customersCounted} are counted in \`total\`.`
export const searchNote = `capitals and accents make no difference. ${countLimitNote}`
