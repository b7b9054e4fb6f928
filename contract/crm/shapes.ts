import type { Static, TSchema } from 'typebox'
import { limits } from '../limits.ts'
import { Email, Id, Name, Named, Nullable, OneOf, Text, Time } from '../shapes.ts'
import { Type } from '../type.ts'

/** The statuses of a lead: see the table above LEAD-20. */
export const leadStatuses = ['NEW', 'CONTACTED', 'QUALIFIED', 'NEGOTIATING', 'LOST', 'WON'] as const
export type LeadStatus = (typeof leadStatuses)[number]
export const LeadStatus = OneOf(leadStatuses)
/** The default statuses of lists: neither lost nor converted. */
export const openStatuses = ['NEW', 'CONTACTED', 'QUALIFIED', 'NEGOTIATING'] as const
export const temperatures = ['COLD', 'WARM', 'HOT'] as const
export type Temperature = (typeof temperatures)[number]

/** Parts of a lead that are returned on request, to callers who may read them. */
export const leadParts = ['scoring', 'notes'] as const
export type LeadPart = (typeof leadParts)[number]
export const LeadPart = OneOf(leadParts)

/** `include=scoring&include=notes`. */
export const include = Type.Optional(
  Type.Array(OneOf(leadParts), {
    maxItems: leadParts.length,
    description:
      'Parts to add to the reply; repeat the parameter for several. Parts that the caller may not read are omitted without an ' +
      'error, and the header X-Service-Omitted names them.',
  }),
)

export const Score = Type.Integer({ minimum: 0, maximum: 100 })
export const Temperature = OneOf(temperatures)

/** A lead in a reply (LEAD-1, LEAD-2). */
export const Lead = Type.Object({
  id: Id,
  email: Nullable(Type.String()),
  phone: Nullable(Type.String()),
  firstName: Nullable(Type.String()),
  lastName: Nullable(Type.String()),
  company: Nullable(Type.String()),
  status: OneOf(leadStatuses),
  stage: Nullable(Type.String({ description: 'A custom step of the team, independent of the status' })),
  source: Nullable(Type.String({ description: 'The origin of the lead' })),
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

/** The reply to a change (LEAD-18). */
export const LeadChange = Type.Object({
  lead: Lead,
  changed: Type.Boolean({ description: 'False if the lead already had these values' }),
  recordedAt: Time,
})
export type LeadChange = Static<typeof LeadChange>

/** The fields of a lead in a request. `null` clears a field. */
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

/** The author of a change. */
export const LeadActor = Type.Object({ kind: OneOf(['USER', 'APP', 'SYSTEM']), id: Nullable(Id) })

/** `updatedAt` of the version that the caller read. The operation refuses if the row has changed since then. */
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

/** Reads certain rows of a list at once, such as those that a live view shows (CRM-12). */
export const ids = Type.Optional(
  Type.Array(Id, {
    maxItems: limits.pageLimit,
    uniqueItems: true,
    description:
      'Only the items with these ids, all on one page; repeat the parameter for several. Other filters apply too. Unknown ids ' +
      'are left out',
  }),
)

/** Query parameters of the lists of clients and contacts, and their descriptions. */
export const search = Type.Optional(Text(limits.search, 2))
export const archived = Type.Optional(
  Type.Boolean({
    description:
      'Return archived items instead of active ones. Default: false, and with `ids` both kinds of items',
  }),
)
export const countLimitNote = `\`total\` counts at most ${limits.customersCounted}.`
/** A number in a description: 10,000. */
export const formatted = (n: number) => n.toLocaleString('en')
/** The search of a list that is ordered by creation (CRM-13). */
export const recentSearchNote =
  'Case and accents are ignored. A word with fewer than three characters must be the beginning of a word. If ' +
  `${limits.customerSearchEnough} of the ${formatted(limits.customerSearchNewest)} newest match, the search stops there; ` +
  `otherwise it returns up to ${formatted(limits.customerSearchFound)} older ones.`
export const searchNote = `Case and accents are ignored. ${countLimitNote}`
