/** Tests that a distributed database fails by its nature, and not because of an operation. */
type Exception = {
  file: string
  /** The full names of tests that fail, which `npm run test:citus` expects of each; `all`: the file does not run. */
  tests: 'all' | readonly string[]
  /** The tests pass if other statements come first, so they do not run. */
  isUncertain?: boolean
  reason: string
}

const readsPlans = 'reads plans of one server; citus-statements.test.ts plans every statement on Citus'
const hasTrigger = 'sets a trigger of its own, and Citus has none on a distributed table'
const switchesTriggers =
  'switches triggers off to change signatures, which Citus does not do on a distributed table'

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
    reason: switchesTriggers,
  },
  {
    file: 'server/chat/agents/list-agents.test.ts',
    tests: ['reads none of the agents that are rejected or withdrawn'],
    reason: readsPlans,
  },
  {
    file: 'server/crm/leads/clock/clock.test.ts',
    tests: ['the database refuses a write that bypasses the clock'],
    reason: 'distribute drops the trigger that refuses it (decision 0050)',
  },
  {
    file: 'server/crm/leads/clock/order.test.ts',
    tests: [
      'one after the other > the second writer waits for the first to commit, and a reader sees neither change before',
      'with delayed writers > a reader misses no change and never goes back',
      'with delayed writers > with the transaction time instead of the clock it misses changes, which proves that the test detects them',
    ],
    reason: hasTrigger,
  },
  {
    file: 'server/crm/leads/clock/warn-if-ahead.test.ts',
    tests: ['measuring reads as little with many organizations as with few'],
    reason: readsPlans,
  },
  {
    file: 'server/crm/leads/list/values.test.ts',
    tests: ['are at most 50 of a field, and cost no more than their counts'],
    reason: readsPlans,
  },
  {
    file: 'server/crm/signatures/chain.test.ts',
    tests: [
      'breaks after a signature that was rewritten with matching evidence',
      'breaks where a signature was added after the last one',
      'breaks where a signature was deleted, also the last one',
      'breaks where consent_hash was edited',
      'breaks where document_hash was edited',
      'breaks where evidence_hash was edited',
      'breaks where hash_version was edited',
      'breaks where ip was edited',
      'breaks where previous_evidence_hash was edited',
      'breaks where signed_at was edited',
      'breaks where signer_email was edited',
      'breaks where signer_name was edited',
      'breaks where signing_link_id was edited',
      'breaks where user_agent was edited',
      'breaks where via was edited',
    ],
    reason: switchesTriggers,
  },
  {
    file: 'server/crm/budgets/states.test.ts',
    tests: [
      'issueSigningLink, of a budget that changes each time that its document was made',
      'requestSignatures, of a budget that changes each time that its document was made',
    ],
    isUncertain: true,
    reason:
      'the lock of a distributed table is one on each node, and they do not all queue in the order of arrival',
  },
  {
    file: 'server/integrations/webhooks/retention/retention.test.ts',
    tests: [
      'a day that is already in the default partition stays there, and nothing is lost',
      'partitions are created ahead, take the rows of their day, and are dropped after 30 days',
    ],
    reason: 'names the partition of a row, which has the number of its shard there',
  },
  {
    file: 'server/integrations/webhooks/shards/leases.test.ts',
    tests: ['a process that does not know the number of shards owns none and is not counted'],
    reason: 'runs a statement of version 0.1.0, which Citus refuses for another reason',
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
  {
    file: 'tests/e2e/payments.test.ts',
    tests: ['a user authorizes charges, answers the bank about one, and gets a full refund'],
    reason:
      'switches triggers off to move entries of the ledger, which Citus does not do on a distributed table',
  },
  {
    file: 'tests/e2e/signed-documents.test.ts',
    tests: ['a document that is stored again after it became garbage is kept'],
    reason: 'switches triggers off to change documents, which Citus does not do on a distributed table',
  },
]
