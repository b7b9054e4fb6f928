import { housekeepingMs } from '#platform/jobs/job.ts'
import type { BackgroundWork, DataCheck } from '#server/area.ts'
import { verifyAuditChain } from './audit-log/audit-log.ts'
import { deleteOldInboxMarks } from './inbox/inbox-done.sql.ts'
import { invitationMail } from './invitations/invitation-mail.ts'
import { removeOldTokens } from './personal-tokens/personal-token.sql.ts'
import { passwordResetMail } from './sign-in/reset-mail.ts'
import { deleteExpired } from './sign-in/sign-in.sql.ts'

export { isFirstRun } from './accounts.ts'
export { allOrganizationIds } from './organization/all-organizations.sql.ts'

const auditChain: DataCheck = {
  counts: 'audit entries',
  async run(db) {
    const { valid, checked, brokenAt } = await verifyAuditChain(db)
    const fault = `The audit log of the organization ${db.organizationId} is broken at entry ${brokenAt}.`
    return { count: checked, faults: valid ? [] : [fault] }
  },
}

export const identityWork: BackgroundWork = {
  name: 'identity',
  jobs: ({ database }) => [
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
  ],
  mailKinds: [invitationMail, passwordResetMail],
  dataChecks: [auditChain],
}
