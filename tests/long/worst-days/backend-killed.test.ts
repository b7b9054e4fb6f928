import { afterAll, expect, test } from 'vitest'
import { endAll, removeFolders, until } from '#tests/support/processes.ts'
import { openWorstDay } from '#tests/support/worst-day.ts'

const times = 5

afterAll(() => {
  endAll()
  removeFolders()
})

/** PostgreSQL then ends all of its connections and recovers: the killed process may have damaged their shared memory. */
test('a process of PostgreSQL is killed, as by the system when memory runs out', async () => {
  const day = await openWorstDay()
  for (let time = 1; time <= times; time++) {
    const before = await day.database()
    before.on('error', () => {})
    const { rows } = await before.query(
      `select pid, pg_postmaster_start_time()::text as started from pg_stat_activity
       where application_name = $1 order by state = 'active' desc, random() limit 1`,
      [time % 2 === 1 ? 'patio api' : 'patio worker'],
    )
    const gone = new Promise(resolve => before.once('end', resolve))
    day.watch.begin(`kill ${time}`)
    process.kill(rows[0].pid, 'SIGKILL')
    await gone
    const recoveryMs = await until('connections are accepted', async () =>
      day.database().then(
        connection => connection.end().then(() => true),
        () => false,
      ),
    )
    process.stdout.write(`kill ${time}: connections again after ${Math.round(recoveryMs)} ms\n`)
    await day.isBack()
    expect(day.watch.failures(`kill ${time}`, 'healthz')).toEqual([])
    for (const kind of ['read', 'write'] as const)
      expect(day.watch.failures(`kill ${time}`, kind).filter(({ status }) => status !== 503)).toEqual([])
  }
  await day.verify('A process of PostgreSQL is killed')
  expect((await day.patio.stop()).code).toBe(0)
})
