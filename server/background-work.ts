import type { BackgroundWork } from './area.ts'
import { billingWork } from './billing/jobs.ts'
import { chatWork } from './chat/jobs.ts'
import { crmWork } from './crm/jobs.ts'
import { errorReportWork } from './error-reports/jobs.ts'
import { identityWork } from './identity/jobs.ts'
import { integrationWork } from './integrations/jobs.ts'
import { marketplaceWork } from './marketplace/jobs.ts'
import { studioWork } from './studio/jobs.ts'

/** The background work of every area. A list apart from `areas`, so that a worker does not load their operations. */
export const backgroundWork: readonly BackgroundWork[] = [
  identityWork,
  studioWork,
  marketplaceWork,
  integrationWork,
  errorReportWork,
  chatWork,
  crmWork,
  billingWork,
]
