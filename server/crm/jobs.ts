import type { TimeStamps } from '#platform/adapters/time-stamps.ts'
import type { Services } from '#platform/http/operation.ts'
import {
  announceAll,
  deletion,
  housekeepingMs,
  type Job,
  notificationMs,
  untilIdle,
} from '#platform/jobs/job.ts'
import type { Log } from '#platform/log.ts'
import { deleteOldImports, runNextImports } from './imports/import-jobs.ts'
import { warnIfLeadClockAhead } from './leads/clock/warn-if-ahead.ts'
import { deleteExpiredPortalAccess } from './portal/portal-access.sql.ts'
import { sealNextBudget } from './seals/seal-next-budget.ts'
import { stopExpiredRequests } from './signature-requests/expire-requests.ts'
import { stampNextChain } from './signatures/time-stamps/stamp-next-chain.ts'
import { queueDueSigningReminders } from './signing/send-reminders.ts'

export { expireCursors } from './leads/sync/lead-sync.sql.ts'
export { crmMailKinds } from './mail-kinds.ts'
export { verifySignatureChain } from './signatures/chain.ts'
export type { BudgetMailServices } from './signing/mails.ts'

/** For seals, for which the mails about a signature wait. */
const sealPollMs = 1_000
/** For imports from CSV, whose senders wait for the result. */
const importPollMs = 500
/** For reminders of signing links, which are due from a day on. */
const reminderPollMs = 60_000

/** The services that the jobs need; without an authority, signatures get no time stamps. */
type CrmJobServices = Pick<Services, 'database' | 'files' | 'cipher' | 'maxFileBytes'> & {
  readonly wakeUp: NonNullable<Services['wakeUp']>
  readonly log: Log
  readonly timeStampUrl: string | undefined
  readonly timeStamps: TimeStamps | undefined
}

export function crmJobs(services: CrmJobServices): Job[] {
  const { database, cipher, wakeUp, log, timeStamps } = services
  const jobs: Job[] = [
    {
      name: 'import from CSV',
      everyMs: importPollMs,
      run: isClosing => untilIdle(isClosing, () => runNextImports(services, isClosing)),
    },
    {
      name: 'seal budgets',
      everyMs: sealPollMs,
      run: isClosing => untilIdle(isClosing, () => sealNextBudget(services)),
    },
    {
      name: 'stop expired signature requests',
      everyMs: housekeepingMs,
      run: isClosing => announceAll(isClosing, wakeUp, () => stopExpiredRequests(database)),
    },
    {
      name: 'queue signing reminders',
      everyMs: reminderPollMs,
      run: isClosing => announceAll(isClosing, wakeUp, () => queueDueSigningReminders(database, cipher)),
    },
    {
      name: 'watch the lead clock',
      everyMs: notificationMs,
      run: () => warnIfLeadClockAhead(database, log),
    },
    deletion('delete old imports', () => deleteOldImports(database)),
    deletion('delete expired portal access', () => deleteExpiredPortalAccess(database)),
  ]
  if (timeStamps)
    jobs.push({
      // the first failure waits for the next run: the authority is the same for all
      name: 'stamp signatures',
      everyMs: notificationMs,
      run: isClosing => untilIdle(isClosing, () => stampNextChain({ database, wakeUp, timeStamps })),
    })
  return jobs
}
