import { deletion } from '#platform/jobs/job.ts'
import type { BackgroundWork } from '#server/area.ts'
import { deleteOldErrors } from './retention.sql.ts'

export const errorReportWork: BackgroundWork = {
  name: 'error-reports',
  jobs: ({ database }) => [deletion('delete old errors', () => deleteOldErrors(database))],
}
