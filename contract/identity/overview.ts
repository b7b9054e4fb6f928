import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Cents, Currency, Nullable, Time } from '../shapes.ts'
import { Type } from '../type.ts'

const Count = Type.Integer({ description: `At most ${limits.overviewCount}, which means that many or more` })
const Amount = Type.Object({ currency: Currency, cents: Cents })

export const Overview = Type.Object({
  leads: Type.Optional(
    Type.Object(
      { untouched: Count, oldestAt: Nullable(Time) },
      { description: `Open leads of the caller without a change for ${limits.overviewDays} days` },
    ),
  ),
  budgets: Type.Optional(
    Type.Object({
      signed: Type.Integer({
        description:
          'Signed budgets without an invoice, if the caller may read invoices: as many as the list of uninvoiced budgets has. ' +
          `Otherwise those signed in the last ${limits.overviewSignedDays} days; at most ${limits.overviewCount}`,
      }),
      ending: Type.Integer({
        description: `Sent, and valid for ${limits.overviewDays} days at most; at most ${limits.overviewCount}`,
      }),
    }),
  ),
  invoices: Type.Optional(
    Type.Object({
      overdue: Count,
      oldestDueDate: Nullable(Type.String({ description: 'A day: YYYY-MM-DD' })),
      overdueAmounts: Type.Array(Amount, { description: 'By currency' }),
      dueByAge: Type.Array(
        Type.Object({
          currency: Currency,
          notDueCents: Cents,
          to30Cents: Type.Integer({ description: '1 to 30 days overdue' }),
          to60Cents: Type.Integer({ description: '31 to 60 days overdue' }),
          over60Cents: Type.Integer({ description: 'More than 60 days overdue' }),
        }),
      ),
      collectedThisMonth: Type.Array(Amount, { description: 'Payments without refunds, by currency' }),
      areSumsPartial: Type.Boolean({
        description: `True: there are more than ${limits.overviewCount} open invoices, or movements of this month; the sums contain only so many`,
      }),
    }),
  ),
  differences: Type.Optional(
    Type.Integer({ description: 'Open differences between the gateway and the ledger' }),
  ),
  webhooks: Type.Optional(
    Type.Object({
      paused: Type.Integer(),
      failing: Type.Integer({ description: 'Not paused, and the last delivery failed' }),
      failedDeliveries: Type.Integer({
        description: `In the last 24 hours; at most ${limits.overviewCount}`,
      }),
    }),
  ),
  errors: Type.Optional(
    Type.Object({
      new: Type.Integer({
        description: `Unresolved errors that first occurred in the last 24 hours; at most ${limits.overviewCount}`,
      }),
      unresolved: Type.Integer(),
    }),
  ),
  scopeRequests: Type.Optional(
    Type.Integer({
      description: `Requests for critical scopes that wait for an operator; at most ${limits.overviewCount}`,
    }),
  ),
  submissions: Type.Optional(
    Type.Integer({
      description: `Submissions to the marketplace that wait for an operator; at most ${limits.overviewCount}`,
    }),
  ),
  proposals: Type.Optional(Type.Integer({ description: 'Agents that the caller may approve' })),
  chat: Type.Optional(
    Type.Object({
      mentions: Type.Integer({
        description: `Unread, among the last ${limits.mentionsScanned} mentions of the caller`,
      }),
      channels: Type.Integer({
        description: `Channels with unread messages; at most ${limits.overviewChannels} are examined`,
      }),
    }),
  ),
})

export type Overview = Static<typeof Overview>

export const readOverview = operation('GET /overview', {
  area: 'org',
  summary: 'Read the counts of what waits for the caller in all areas',
  description:
    'A part is absent when the plan lacks its module or capability, or the caller its permission. Counts are bounded, so that the cost does not grow with the organization.',
  auth: { session: { permission: null } },
  reply: Overview,
})
