import { until } from './processes.ts'
import type { TestServer } from './test-server.ts'

/** Resolves when this many statements wait for a locked row. */
export async function blocked({ sql }: Pick<TestServer, 'sql'>, many = 1): Promise<void> {
  await until(`${many} wait for a lock`, async () => {
    const waiting = await sql(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return waiting.length >= many
  })
}
