import { limits } from '#contract/limits.ts'
import { slotLimit } from '#platform/http/counted-limits.ts'

/** Invoices that an application may send for an organization in a clock hour (SND-11). */
export const quota = slotLimit({
  bucket: 'invoice-sends',
  times: limits.invoiceSendsPerHour,
  windowSeconds: 3_600,
})
