import { limits } from '#contract/limits.ts'
import { slotLimit } from '#platform/http/counted-limits.ts'

/** How many invoices an application sends within the organization in a clock hour (SND-11). */
export const quota = slotLimit({
  bucket: 'invoice-sends',
  times: limits.invoiceSendsPerHour,
  windowSeconds: 3_600,
})
