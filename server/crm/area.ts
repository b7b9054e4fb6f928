import type { Area } from '#server/area.ts'
import { seedCrm } from './demo.ts'
import { crmInbox } from './inbox.sql.ts'
import { crmOverview } from './overview.sql.ts'
import { crmRoutes } from './routes.ts'
import { timeStampService } from './signatures/time-stamps/read-status.ts'

export const crmArea: Area = {
  name: 'crm',
  operations: crmRoutes,
  services: timeStampService,
  inbox: crmInbox,
  overview: crmOverview,
  seed: seedCrm,
}
