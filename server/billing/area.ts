import type { Area } from '#server/area.ts'
import { seedBilling } from './demo.ts'
import { billingInbox } from './inbox.sql.ts'
import { billingOverview } from './overview.sql.ts'
import { billingPersonalData } from './privacy/personal-data.ts'
import { countStuckPayments } from './reconciliation/reconciliation.sql.ts'
import { billingRoutes } from './routes.ts'
import { taxRecordService } from './tax-records/producer.ts'

export const billingArea: Area = {
  name: 'billing',
  operations: billingRoutes,
  services: taxRecordService,
  inbox: billingInbox,
  overview: billingOverview,
  health: async database => ({ payments: await countStuckPayments(database) }),
  personalData: billingPersonalData,
  seed: seedBilling,
}
