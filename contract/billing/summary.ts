import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Cents, Id } from '../shapes.ts'
import { Type } from '../type.ts'
import { toView } from './auth.ts'

/** How many invoices or payments, and their sum. */
export const CountedAmount = Type.Object({ count: Type.Integer(), cents: Cents })
export type CountedAmount = Static<typeof CountedAmount>

/** The amounts due in one currency, by the days since the due date. */
export const DueByAge = Type.Object({
  currency: Type.String(),
  notDue: CountedAmount,
  days1To30: CountedAmount,
  days31To60: CountedAmount,
  over60Days: CountedAmount,
})
export type DueByAge = Static<typeof DueByAge>

/** The payments of one currency, by month. */
export const CollectedByMonth = Type.Object({
  currency: Type.String(),
  thisMonth: CountedAmount,
  lastMonth: CountedAmount,
})
export type CollectedByMonth = Static<typeof CollectedByMonth>

export const readBillingSummary = operation('GET /summary', {
  ...toView,
  summary: 'Get what is due, by age, and what was collected in this month and the last',
  description:
    'Days and months are those of UTC. Amounts of different currencies are never added. Payments count before ' +
    'refunds, reversed ones not at all.',
  query: { clientId: Type.Optional(Id) },
  reply: Type.Object({
    today: Type.String({ description: 'A day: YYYY-MM-DD' }),
    overdueCount: Type.Integer({ description: 'Overdue invoices in all currencies' }),
    due: Type.Array(DueByAge, { description: 'By currency' }),
    collected: Type.Array(CollectedByMonth, { description: 'By currency' }),
    isComplete: Type.Boolean({
      description: `False: there are more than ${limits.invoicesSummed} unpaid invoices or payments, which are not all added`,
    }),
  }),
})
