import type { Area } from '#server/area.ts'
import { intakeSettled } from './intake/intake.ts'
import { reportLimitService } from './intake/report-limit.ts'
import { errorOverview } from './overview.sql.ts'
import { errorReportRoutes } from './routes.ts'

export const errorReportArea: Area = {
  name: 'error-reports',
  operations: errorReportRoutes,
  services: reportLimitService,
  overview: errorOverview,
  settled: intakeSettled,
}
