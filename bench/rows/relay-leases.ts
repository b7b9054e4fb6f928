import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '#platform/data/database.ts'
import { changeLayout } from '#platform/events/relay-layout.ts'
import { openSignal } from '#platform/events/signal.ts'
import { openLog } from '#platform/log.ts'
import { writeBacklog } from '../backlog.ts'
import type { BenchEnvironment } from '../environment.ts'
import { start } from '../processes.ts'
import type { Figure } from '../report.ts'
import { inOrder } from '../rounds.ts'
import { median, quotients, short, spread } from '../statistics.ts'

/** Each row has an event and an audit entry. */
const rowsPerSecond = 8_000
const minute = 60_000

/** Numbering a backlog of many organizations: two workers that share two leases, beside one worker with the only lease. */
export async function relayLeases({ env, size, sql, settled }: BenchEnvironment): Promise<Figure[]> {
  const url = env.DATABASE_URL
  const signal = await openSignal({ url, log: openLog('warn', 'bench') })
  const database = await openDatabase({
    url,
    poolSize: 1,
    connectTimeoutMs: minute,
    statementTimeoutMs: minute,
    lockTimeoutMs: minute,
    idleInTransactionTimeoutMs: minute,
    applicationName: 'patio bench',
  })
  const second = start('server/main.mjs', ['worker'], env)
  await second.ready
  const count = Math.round(size.seconds * rowsPerSecond)
  const one: number[] = []
  const two: number[] = []
  const drainWith = async (leases: number) => {
    await changeLayout(url, database, leases)
    await untilHeld(leases)
    await writeBacklog(sql, count)
    const startedAt = performance.now()
    signal.changed()
    await settled()
    return count / ((performance.now() - startedAt) / 1000)
  }
  const sides = [async () => void one.push(await drainWith(1)), async () => void two.push(await drainWith(2))]
  for (let round = 0; round <= size.rounds; round++) {
    for (const drain of inOrder(sides, round)) await drain()
    // the first round warms up
    if (round === 0) for (const side of [one, two]) side.length = 0
  }
  await changeLayout(url, database, 1)
  await Promise.all([second.stop(), signal.close(), database.close()])
  return [
    {
      name: 'relay-leases',
      value: spread(quotients(two, one)),
      raw: [`rows/s: one lease ${short(median(one))}, two leases ${short(median(two))}`],
    },
  ]

  async function untilHeld(processes: number): Promise<void> {
    for (;;) {
      const { rows } = await sql.query(
        `select count(*)::int as leases, count(distinct holder)::int as holders from relay_lease where holder <> ''`,
      )
      if (rows[0].leases === processes && rows[0].holders === processes) return
      await sleep(20)
    }
  }
}
