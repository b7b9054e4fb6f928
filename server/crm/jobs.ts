import {
  announceAll,
  deletion,
  housekeepingMs,
  type Job,
  notificationMs,
  untilChangeMs,
  untilIdle,
} from '#platform/jobs/job.ts'
import type { BackgroundWork, DataCheck, JobServices, ServerTotals } from '#server/area.ts'
import { deleteOldImports, runNextImports } from './imports/import-jobs.ts'
import { readClocksAhead } from './leads/clock/lead-clock.sql.ts'
import { warnIfLeadClockAhead } from './leads/clock/warn-if-ahead.ts'
import { expireCursors } from './leads/sync/lead-sync.sql.ts'
import { deleteExpiredPortalAccess } from './portal/portal-access.sql.ts'
import { sealNextBudget } from './seals/seal-next-budget.ts'
import { stopExpiredRequests } from './signature-requests/expire-requests.ts'
import { requestMailKinds } from './signature-requests/request-mails.ts'
import { verifySignatureChain } from './signatures/chain.ts'
import { stampNextChain } from './signatures/time-stamps/stamp-next-chain.ts'
import { signingMailKinds } from './signing/mails.ts'
import { signingLinkMail } from './signing/send.ts'
import { queueDueSigningReminders } from './signing/send-reminders.ts'

/** For seals after a change, for which the mails about a signature wait. */
const sealPollMs = 1_000
/** For imports from CSV after a change, whose senders wait for the result. */
const importPollMs = 500
/** For reminders of signing links, which are due from a day on. */
const reminderPollMs = 60_000

function crmJobs(services: JobServices): Job[] {
  const { database, cipher, wakeUp, log, timeStamps } = services
  const jobs: Job[] = [
    {
      name: 'import from CSV',
      everyMs: importPollMs,
      idleMs: untilChangeMs,
      run: isClosing => untilIdle(isClosing, () => runNextImports(services, isClosing)),
    },
    {
      name: 'seal budgets',
      everyMs: sealPollMs,
      idleMs: untilChangeMs,
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

const leadClock: ServerTotals<Awaited<ReturnType<typeof readClocksAhead>>> = {
  read: ({ crossTenant }) => readClocksAhead(crossTenant),
  gauges: [
    {
      name: 'patio_lead_clock_ahead_seconds',
      help: 'Seconds that the time of the latest lead change is ahead of the database clock',
      of: ({ seconds }) => seconds,
    },
  ],
}

const signatureChain: DataCheck = {
  counts: 'signatures',
  async run(db) {
    const { holds, count, brokenAt } = await verifySignatureChain(db)
    const fault = `The signatures of the organization ${db.organizationId} are broken at position ${brokenAt?.number}.`
    return { count, faults: holds ? [] : [fault] }
  },
}

export const crmWork: BackgroundWork = {
  name: 'crm',
  jobs: crmJobs,
  mailKinds: [...signingMailKinds, signingLinkMail, ...requestMailKinds],
  totals: [leadClock],
  dataChecks: [signatureChain],
  // cursors of the lead synchronization answer 410
  afterRestore: ({ crossTenant }) => expireCursors(crossTenant),
}
