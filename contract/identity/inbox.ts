import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Nullable, OneOf, Time } from '../shapes.ts'
import { Type } from '../type.ts'

const area = 'org'
const auth = { session: { permission: null } } as const

export const inboxKinds = [
  'MENTION',
  'AGENT_PROPOSED',
  'LEAD_ASSIGNED',
  'BUDGET_SIGNED',
  'BUDGET_DECLINED',
  'CHARGE_FAILED',
  'WEBHOOK_PAUSED',
] as const

export const InboxItem = Type.Object({
  id: Type.String({ description: 'Of the item, to mark it as done' }),
  kind: OneOf(inboxKinds),
  at: Time,
  subjectId: Type.String({
    description: 'The message, agent, lead, budget, invoice or application that the item is about',
  }),
  parentId: Nullable(Type.String({ description: 'The channel of a message or agent' })),
  title: Nullable(Type.String({ description: 'The name or number of the subject; null for a message' })),
  actorName: Nullable(Type.String({ description: 'The person or application that caused it' })),
  detail: Nullable(Type.String({ description: 'The reason of a pause, decline or failure' })),
})
export type InboxItem = Static<typeof InboxItem>

export const listInbox = operation('GET /inbox', {
  area,
  summary: 'List what concerns the caller, newest first',
  description: `Mentions, proposals of agents that the caller may approve, leads that others assigned to the caller, the caller's budgets that were signed or declined, failed charges and paused webhooks. Up to ${limits.inboxItems} items of the last ${limits.inboxDays} days, without those marked as done.`,
  auth,
  reply: Type.Object({ items: Type.Array(InboxItem) }),
})

export const markInboxDone = operation('PUT /inbox/read', {
  area,
  summary: 'Mark one item of the inbox as done, or all until a time',
  description: 'Send either `itemId` or `until`. An item that is marked stays away. Idempotent.',
  auth,
  body: {
    itemId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: limits.inboxItemId,
        pattern: '^[A-Z_]+:[A-Za-z0-9:_-]+$',
        description: 'The id of an item',
      }),
    ),
    until: Type.Optional(Time),
  },
})
