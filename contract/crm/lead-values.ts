import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Nullable, OneOf } from '../shapes.ts'
import { Type } from '../type.ts'
import { temperatures } from './shapes.ts'

const teamViewAccess = {
  area: 'crm',
  module: 'crm',
  capability: 'crm.leads',
  auth: { session: { permission: 'CRM_VIEW' } },
} as const
const count = Type.Integer({
  description: `The open leads with this value, at most ${limits.leadValueCount}`,
})
const hasMore = Type.Boolean({ description: 'There are more values, which come later in their order' })
const TextValues = Type.Object({
  items: Type.Array(Type.Object({ value: Type.String(), count })),
  hasMore,
})

/** The values that filters of leads offer (LEAD-47). */
export const LeadValues = Type.Object({
  sources: TextValues,
  stages: TextValues,
  temperatures: Type.Array(Type.Object({ value: OneOf(temperatures), count })),
  assignees: Type.Object({
    items: Type.Array(
      Type.Object({
        id: Id,
        name: Nullable(Type.String()),
        isMember: Type.Boolean({ description: 'False for a person who has left the organization' }),
        count,
      }),
    ),
    hasMore,
  }),
  unassigned: count,
})
export type LeadValues = Static<typeof LeadValues>

export const readLeadValues = operation('GET /leads/values', {
  ...teamViewAccess,
  summary: 'List the values of leads to filter by, with counts',
  description:
    `Sources, stages and assignees of all leads, the first ${limits.leadValues} of each in the order of their value, and for ` +
    'each value the number of open leads.',
  reply: LeadValues,
})
