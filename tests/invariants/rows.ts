import type { TestServer } from '#tests/support/test-server.ts'

/** Tables that change by themselves or with every request, refused ones included. */
export const restless = [
  'rate_window',
  'sign_in_rate',
  'relay_lease',
  'stream_lease',
  'dispatch_shard',
  'dispatch_node',
  // what waits to be sent to webhooks, and what came of it
  'webhook_new_range',
  'webhook_due',
  'webhook_attempt',
  // the books of the sandbox: the worker asks it at its own time
  'sandbox_object',
  // the worker sends what waits there at its own time, and removes it
  'outgoing_mail',
]

/** Columns that change by themselves, by table. */
const restlessColumns: Record<string, readonly string[]> = {
  personal_token: ['last_used_at'],
  application_key: ['last_used_at'],
  // the worker writes down what came of a delivery, and within a second what that says of its endpoint
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
  // the worker sends an event when a share has expired
  asset_share: ['end_announced'],
  // the worker looks at them and finds them as they were
  charge_attempt: ['looks', 'look_at', 'updated_at'],
  refund_part: ['looks', 'look_at'],
  payment_method: ['looks', 'look_at'],
  gateway_account: ['looked_at', 'reconciled_on', 'foreign_movements', 'updated_at'],
}

/** How many rows each table has, and which transaction wrote one of them last: what is written or deleted changes it. */
export async function everything(server: TestServer): Promise<Record<string, string>> {
  // what is in a partition is in its table
  const tables = await server.sql<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  )
  return digests(
    server,
    'everything',
    Object.fromEntries(
      tables.filter(({ name }) => !restless.includes(name)).map(({ name }) => [name, 'true']),
    ),
  )
}

/**
 * The same of the rows that fit a condition. The transaction is in the head of each row, which is read without the rest of
 * it. `called` is always the same question, which PostgreSQL plans once.
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
