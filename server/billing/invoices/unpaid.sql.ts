/** Whether an invoice, by its alias, is issued and has an amount due. Partial indexes have this condition. */
export const isUnpaid = (invoice: string) => `${invoice}.status in ('ISSUED', 'SENT', 'PARTIALLY_PAID')`

/** The amount due of an unpaid invoice, by its alias; invoice.rules.ts computes the same for a row in memory. */
export const dueCents = (invoice: string) =>
  `${invoice}.total_cents - ${invoice}.rectified_cents - ${invoice}.paid_cents
    + least(${invoice}.refund_rectified_cents, ${invoice}.refunded_cents)`
