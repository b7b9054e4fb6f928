import { announceAll, housekeepingMs, type Job, notificationMs, untilIdle } from '#platform/jobs/job.ts'
import type { BackgroundWork, DataCheck, JobServices, ServerTotals } from '#server/area.ts'
import { pollGatewayAccounts } from './gateway/account/poll-accounts.ts'
import { emitOverdueInvoices } from './invoices/overdue/emit-overdue.ts'
import { invoicesWithOtherLedger } from './ledger/ledger-check.sql.ts'
import type { Poller } from './polling/poller.ts'
import { openPollers } from './polling/pollers.ts'
import { reconcileAccounts } from './reconciliation/reconcile.ts'
import { countOpenDifferences, countStuckPayments } from './reconciliation/reconciliation.sql.ts'
import { reminderMail } from './reminders/reminder-mail.ts'
import { queueDueReminders } from './reminders/send-due.ts'
import { endLostDeliveries } from './sending/lost-deliveries.ts'
import { sendDueRecords } from './tax-records/sending/send-records.ts'

/** For payments in progress: an interrupted refund ends within two minutes. */
const paymentPollMs = 5_000
/** For reminders of invoices, which are due from an hour on. */
const reminderPollMs = 60_000
/** For tax records that are due. The tax office usually asks for a minute between messages. */
const taxRecordPollMs = 5_000
/** For invoice mails whose sender died. */
const lostMailPollMs = 15_000

function billingJobs(services: JobServices): Job[] {
  const { database, cipher, wakeUp, taxOffice, log } = services
  const pollers = openPollers(services)
  const polling = (name: string, poller: Poller): Job => ({
    name,
    everyMs: paymentPollMs,
    run: isClosing => poller.pollDue(isClosing),
    idle: () => poller.idle(),
  })
  const jobs: Job[] = [
    polling('poll payments', pollers.charges),
    polling('poll refunds', pollers.refunds),
    polling('poll cards', pollers.cards),
    {
      name: 'end lost invoice mails',
      everyMs: lostMailPollMs,
      run: isClosing => untilIdle(isClosing, () => endLostDeliveries(database)),
    },
    {
      name: 'poll gateway accounts',
      everyMs: housekeepingMs,
      run: () => pollGatewayAccounts(services),
    },
    {
      // the movements of each gateway are compared with the ledger once a day
      name: 'reconcile',
      everyMs: housekeepingMs,
      run: isClosing => untilIdle(isClosing, () => reconcileAccounts(services)),
    },
    {
      name: 'announce overdue invoices',
      everyMs: notificationMs,
      run: isClosing => announceAll(isClosing, wakeUp, () => emitOverdueInvoices(database)),
    },
    {
      name: 'queue reminders',
      everyMs: reminderPollMs,
      run: isClosing => announceAll(isClosing, wakeUp, () => queueDueReminders(database, cipher)),
    },
  ]
  if (taxOffice)
    jobs.push({
      name: 'send tax records',
      everyMs: taxRecordPollMs,
      run: isClosing => untilIdle(isClosing, () => sendDueRecords({ database, taxOffice, log })),
    })
  return jobs
}

const stuckPayments: ServerTotals<Awaited<ReturnType<typeof countStuckPayments>>> = {
  read: countStuckPayments,
  gauges: [
    {
      name: 'patio_payment_stuck_charges',
      help: 'Charges without a result for more than an hour',
      of: ({ stuckCharges }) => stuckCharges,
    },
    {
      name: 'patio_payment_stuck_refunds',
      help: 'Refunds that the gateway has not answered for more than an hour',
      of: ({ stuckRefunds }) => stuckRefunds,
    },
  ],
}

const openDifferences: ServerTotals<number> = {
  read: countOpenDifferences,
  gauges: [
    {
      name: 'patio_reconciliation_differences',
      help: 'Open differences between the ledger and the gateways; at most 10,000 are counted',
      of: count => count,
    },
  ],
}

const ledger: DataCheck = {
  async run(db) {
    const invoices = await invoicesWithOtherLedger(db)
    const fault = `In the organization ${db.organizationId}, payments and ledger differ: ${invoices.join(', ')}.`
    return { faults: invoices.length > 0 ? [fault] : [] }
  },
}

export const billingWork: BackgroundWork = {
  name: 'billing',
  jobs: billingJobs,
  mailKinds: [reminderMail],
  totals: [stuckPayments, openDifferences],
  dataChecks: [ledger],
}
