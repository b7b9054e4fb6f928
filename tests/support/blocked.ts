import { itemAt } from './elements.ts'
import { until } from './processes.ts'
import type { TestServer } from './test-server.ts'

const countOnNode = `select count(*)::int as waiting from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`
const countOnAllNodes = `select sum(result::int)::int as waiting from run_command_on_all_nodes($$${countOnNode}$$)`

/** How many statements wait for a lock, on any node of the database. */
export async function countBlocked({ sql }: Pick<TestServer, 'sql'>): Promise<number> {
  const catalogue = await sql<{ isOnCitus: boolean }>(
    `select to_regclass('pg_dist_node') is not null as "isOnCitus"`,
  )
  const count = itemAt(catalogue, 0).isOnCitus ? countOnAllNodes : countOnNode
  return itemAt(await sql<{ waiting: number }>(count), 0).waiting
}

/** Resolves when this many statements wait for a lock, on any node of the database. */
export async function blocked(server: Pick<TestServer, 'sql'>, many = 1): Promise<void> {
  await until(`${many} wait for a lock`, async () => (await countBlocked(server)) >= many)
}
