import type { TestServer } from '#tests/support/test-server.ts'

/** Tables that change in the background or with every request, including refused ones. */
export const restless = [
  'rate_window',
  'sign_in_rate',
  'relay_lease',
  'stream_lease',
  'dispatch_shard',
  'dispatch_node',
  // webhook deliveries and their results
  'webhook_new_range',
  'webhook_due',
  'webhook_attempt',
  // the books of the sandbox, which the worker reads in the background
  'sandbox_object',
  // the worker sends these mails in the background
  'outgoing_mail',
  'refused_mail',
  // the worker notes its runs
  'job_run',
  // where the events of an organization end, which the table of events says too
  'relay_head',
]

/** Rows that count, where the worker adds others: it announces how the endpoints of webhooks do whenever an attempt ends. */
const restlessRows: Record<string, string> = {
  event: `name not in ('delivery.failed', 'webhook-endpoint.changed')`,
  outbox: `not events @? '$[*].name ? (@ == "delivery.failed" || @ == "webhook-endpoint.changed")'`,
}

/** Columns that change in the background, by table. */
const restlessColumns: Record<string, readonly string[]> = {
  personal_token: ['last_used_at'],
  provisioning_token: ['last_used_at'],
  application_key: ['last_used_at'],
  portal_session: ['last_used_at'],
  // the worker records the result of a delivery, and soon the health of its endpoint
  webhook_endpoint: ['failing_since', 'failed_in_row', 'gone_at', 'last_delivered_at'],
  webhook_delivery: [
    'status',
    'attempts',
    'starts',
    'outcome',
    'last_status',
    'finished_at',
    'first_started_at',
    'first_record',
    'problem',
  ],
  // the worker emits an event when a share has expired
  asset_share: ['expiry_announced'],
  // the worker looks at them and finds them as they were
  charge_attempt: ['poll_count', 'next_poll_at', 'updated_at'],
  refund_part: ['poll_count', 'next_poll_at'],
  payment_method: ['poll_count', 'next_poll_at'],
  // the worker tries to seal what waits
  budget_seal: ['seal_at', 'failures', 'problem', 'sha256', 'sealed_at', 'subject', 'has_time_stamp'],
  gateway_account: ['polled_at', 'reconciled_on', 'foreign_movements', 'updated_at'],
}

/**
 * The number of rows of each table, and the last transaction that wrote one: any write or delete changes it.
 */
export async function everything(server: TestServer): Promise<Record<string, string>> {
  // rows of a partition are in its table
  const tables = await server.sql<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  )
  return digests(
    server,
    'everything',
    Object.fromEntries(
      tables
        .filter(({ name }) => !restless.includes(name))
        .map(({ name }) => [name, restlessRows[name] ?? 'true']),
    ),
  )
}

/**
 * The same for the rows that match a condition. The transaction is in the row header, which is read without
 * the rest. `called` is always the same statement, which PostgreSQL plans once.
 */
export async function digests(
  server: TestServer,
  called: string,
  wheres: Record<string, string>,
  values: unknown[] = [],
): Promise<Record<string, string>> {
  const queries = Object.entries(wheres).map(([name, where]) => {
    const columns = restlessColumns[name]
    const content = columns
      ? `sum(hashtextextended((to_jsonb(t) - '{${columns}}'::text[])::text, 0))`
      : 'max(t.xmin::text::bigint)'
    return `select '${name}' as name, count(*) || ' ' || coalesce(${content}, 0) as digest from ${name} t where ${where}`
  })
  const rows = await server.sql<{ name: string; digest: string }>(queries.join(' union all '), values, called)
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]))
}
