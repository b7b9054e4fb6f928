import { readTimeStampStatus } from '#contract/crm/time-stamps.ts'
import { query } from '#platform/http/operation.ts'
import type { Services } from '#platform/services.ts'
import type { Config } from '#server/config.ts'
import { timeStampStatus } from './time-stamp.sql.ts'

declare module '#platform/services.ts' {
  interface Services {
    /** Whether workers obtain time stamps for signatures. */
    readonly hasTimeStamps?: boolean
  }
}

export function timeStampService({ timeStampUrl }: Pick<Config, 'timeStampUrl'>): Partial<Services> {
  return { hasTimeStamps: timeStampUrl !== undefined }
}

/** Says how far the signatures have time stamps (TSP-6). */
export const readStatus = query(readTimeStampStatus, async ({ db, services }) => ({
  isOn: services.hasTimeStamps === true,
  ...(await timeStampStatus(db)),
}))
