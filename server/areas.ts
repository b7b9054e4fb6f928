import type { Area } from './area.ts'
import { billingArea } from './billing/area.ts'
import { chatArea } from './chat/area.ts'
import { crmArea } from './crm/area.ts'
import { errorReportArea } from './error-reports/area.ts'
import { identityArea } from './identity/area.ts'
import { integrationArea } from './integrations/area.ts'
import { marketplaceArea } from './marketplace/area.ts'
import { studioArea } from './studio/area.ts'

/**
 * Every area. An area comes after those that it imports, because its demo content builds on theirs, and its part of the
 * overview may replace fields of theirs.
 */
export const areas: readonly Area[] = [
  identityArea,
  studioArea,
  marketplaceArea,
  integrationArea,
  errorReportArea,
  chatArea,
  crmArea,
  billingArea,
]
