import type { Database } from '#platform/data/database.ts'
import { deletion, type Job } from '#platform/jobs/job.ts'
import { deleteOldErrors } from './retention.sql.ts'

export function errorReportJobs({ database }: { database: Database }): Job[] {
  return [deletion('delete old errors', () => deleteOldErrors(database))]
}
