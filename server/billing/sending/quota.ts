import { limits } from '#contract/limits.ts'
import { slots } from '#platform/http/counted-limits.ts'

/** How many invoices an application sends within the organization in a clock hour (SND-11). */
export const quota = slots({
  bucket: 'invoice-sends',
  times: limits.invoiceSendsPerHour,
  windowSeconds: 3_600,
})
