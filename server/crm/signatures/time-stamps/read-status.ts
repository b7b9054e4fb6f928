import { readTimeStampStatus } from '#contract/crm/time-stamps.ts'
import { query } from '#platform/http/operation.ts'
import { timeStampStatus } from './time-stamp.sql.ts'

/** Says how far the signatures have time stamps (TSP-6). */
export const readStatus = query(readTimeStampStatus, async ({ db, services }) => ({
  isOn: services.hasTimeStamps === true,
  ...(await timeStampStatus(db)),
}))
