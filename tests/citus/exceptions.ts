/** Tests of the areas that a distributed database fails by its nature, and not because of an operation. */
type Exception = {
  file: string
  /** The full names of tests that fail, which `npm run test:citus` expects of each; `all`: the file does not run. */
  tests: 'all' | readonly string[]
  reason: string
}

const readsPlans = 'reads plans of one server; citus-statements.test.ts plans every statement on Citus'
const hasTrigger = 'sets a trigger of its own, and Citus has none on a distributed table'

export const exceptions: readonly Exception[] = [
  { file: 'server/billing/plans.test.ts', tests: 'all', reason: readsPlans },
  { file: 'server/billing/screen-plans.test.ts', tests: 'all', reason: readsPlans },
  { file: 'server/chat/agents/plans.test.ts', tests: 'all', reason: readsPlans },
  { file: 'server/chat/channels/listing/plans.test.ts', tests: 'all', reason: readsPlans },
  { file: 'server/chat/messages/generic-plans.test.ts', tests: 'all', reason: readsPlans },
  { file: 'server/chat/messages/plans.test.ts', tests: 'all', reason: readsPlans },
  { file: 'server/crm/leads/list/plans.test.ts', tests: 'all', reason: readsPlans },
  { file: 'server/crm/plans.test.ts', tests: 'all', reason: readsPlans },
  { file: 'server/error-reports/groups/plans.test.ts', tests: 'all', reason: readsPlans },
  { file: 'server/integrations/webhooks/deliveries/plans.test.ts', tests: 'all', reason: readsPlans },
  { file: 'server/integrations/webhooks/dispatcher/plans.test.ts', tests: 'all', reason: readsPlans },
  {
    file: 'server/billing/charges/settle.test.ts',
    tests: ['the poller skips rows that another process has locked'],
    reason: 'a claim waits for a locked row there (decision 0053)',
  },
  {
    file: 'server/billing/reminders/reminders.test.ts',
    tests: ['a reminder > is not sent when the invoice was paid after it was queued'],
    reason: hasTrigger,
  },
  {
    file: 'server/crm/leads/convert/convert.test.ts',
    tests: ['a failed conversion leaves nothing behind'],
    reason: hasTrigger,
  },
  {
    file: 'server/chat/messages/threads/threads.test.ts',
    tests: ['considers a bounded number of threads, and reads no others'],
    reason: readsPlans,
  },
  {
    file: 'server/crm/leads/csv/csv.test.ts',
    tests: ['importing > reports where it stopped; the lines before are imported'],
    reason: hasTrigger,
  },
  {
    file: 'server/crm/signatures/time-stamps/time-stamps.test.ts',
    tests: 'all',
    reason: 'switches triggers off to change signatures, which Citus does not do on a distributed table',
  },
  {
    file: 'server/studio/files/file-sweep.sql.test.ts',
    tests: ['checks once more before removing, because an upload may have added a reference'],
    reason:
      'while an object is removed, an upload of another one waits too: Citus locks the table that every node has',
  },
  {
    file: 'server/studio/versions/read.test.ts',
    tests: ['reads as few rows of a history of 1,000 versions as of a short one'],
    reason: readsPlans,
  },
]
