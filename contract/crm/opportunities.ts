import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Currency, Day, Id, Name, Nullable, OneOf, Page, pageQuery, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { editAccess, viewAccess } from './access.ts'
import { countLimitNote, ids, recentSearchNote, search } from './shapes.ts'

const id = { id: Id }

export const opportunityStatuses = ['OPEN', 'WON', 'LOST'] as const
export type OpportunityStatus = (typeof opportunityStatuses)[number]
export const OpportunityStatus = OneOf(opportunityStatuses)
/** A possible sale to a client. */
export const Opportunity = Type.Object({
  id: Id,
  title: Type.String(),
  status: OneOf(opportunityStatuses),
  stage: Nullable(Type.String()),
  clientId: Id,
  contactId: Nullable(Id),
  leadId: Nullable(Id),
  ownerId: Nullable(Id),
  amountCents: Nullable(Type.Integer()),
  currency: Nullable(Type.String()),
  expectedOn: Nullable(Type.String({ description: 'A day: YYYY-MM-DD' })),
  createdAt: Time,
  updatedAt: Time,
  closedAt: Nullable(Time),
})
export type Opportunity = Static<typeof Opportunity>
const opportunityFields = {
  stage: Type.Optional(Nullable(Name(limits.leadStage))),
  contactId: Type.Optional(Nullable(Id)),
  ownerId: Type.Optional(Nullable(Id)),
  amountCents: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: limits.opportunityCents }))),
  currency: Type.Optional(Nullable(Currency)),
  expectedOn: Type.Optional(Nullable(Day)),
}

export const createOpportunity = operation('POST /opportunities', {
  announces: { event: 'opportunity.changed', change: 'created' },
  ...editAccess,
  summary: 'Create an opportunity',
  body: { title: Name(limits.opportunityTitle), clientId: Id, ...opportunityFields },
  reply: Opportunity,
  status: 201,
  errors: ['NOT_OF_THIS_ORGANIZATION'],
})
export const listOpportunities = operation('GET /opportunities', {
  ...viewAccess,
  summary: 'List opportunities, newest first',
  description: `${countLimitNote} Every word of \`search\` must occur in the title. ${recentSearchNote}`,
  query: {
    ...pageQuery,
    search,
    ids,
    status: Type.Optional(OneOf(opportunityStatuses)),
    clientId: Type.Optional(Id),
  },
  reply: Page(Opportunity),
})
export const readOpportunity = operation('GET /opportunities/:id', {
  ...viewAccess,
  summary: 'Retrieve an opportunity',
  params: id,
  reply: Opportunity,
  errors: ['OPPORTUNITY_NOT_FOUND'],
})
export const updateOpportunity = operation('PATCH /opportunities/:id', {
  announces: { event: 'opportunity.changed' },
  ...editAccess,
  summary: 'Update an opportunity',
  description: 'WON and LOST close it. A closed opportunity can only be reopened.',
  params: id,
  body: {
    title: Type.Optional(Name(limits.opportunityTitle)),
    status: Type.Optional(OneOf(opportunityStatuses)),
    ...opportunityFields,
  },
  bodyOptional: true,
  reply: Opportunity,
  errors: ['OPPORTUNITY_NOT_FOUND', 'OPPORTUNITY_CLOSED', 'NOTHING_TO_CHANGE', 'NOT_OF_THIS_ORGANIZATION'],
})
