import { until } from './processes.ts'
import type { TestServer } from './test-server.ts'

/** Resolves when so many statements wait for a row that somebody else has locked. */
export async function blocked({ sql }: Pick<TestServer, 'sql'>, many = 1): Promise<void> {
  await until(`${many} wait for a lock`, async () => {
    const waiting = await sql(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return waiting.length >= many
  })
}
