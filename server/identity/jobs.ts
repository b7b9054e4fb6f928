import type { Database } from '#platform/data/database.ts'
import { housekeepingMs, type Job } from '#platform/jobs/job.ts'
import { deleteOldInboxMarks } from './inbox/inbox-done.sql.ts'
import { removeOldTokens } from './personal-tokens/personal-token.sql.ts'
import { deleteExpired } from './sign-in/sign-in.sql.ts'

export { isFirstRun } from './accounts.ts'
export { verifyAuditChain } from './audit-log/audit-log.ts'
export { identityMailKinds } from './mail-kinds.ts'
export { allOrganizationIds } from './organization/all-organizations.sql.ts'

export function identityJobs({ database }: { database: Database }): Job[] {
  return [
    {
      name: 'delete expired sessions',
      everyMs: housekeepingMs,
      isHousekeeping: true,
      async run() {
        await deleteExpired(database.pool, 1_000)
        await removeOldTokens(database)
        await deleteOldInboxMarks(database)
      },
    },
  ]
}
