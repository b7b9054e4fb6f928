import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { clientOf, readDemo, signIn } from '#tests/faults/demo.ts'
import { firstOf, itemAt } from '#tests/support/elements.ts'
import {
  dataFolder,
  endAll,
  processesOn,
  removeFolders,
  run,
  start,
  until,
} from '#tests/support/processes.ts'

afterAll(() => {
  endAll()
  removeFolders()
})

test.each([
  ['the database is there', /Database ready/],
  ['the demo has just been made', /Created demo organizations/],
])(
  'Ctrl-C in a first start, when %s, leaves no process, and the next start succeeds',
  async (_when, moment) => {
    const dataDir = dataFolder()
    const first = run('up', { DATA_DIR: dataDir })
    await first.waitForOutput(moment)
    process.kill(-first.pid, 'SIGINT')
    expect((await first.exited).code).toBe(0)
    expect(processesOn(dataDir)).toEqual([])
    const next = await start('up', { DATA_DIR: dataDir })
    await clientOf(next.url, firstOf(firstOf(readDemo(dataDir).organizations).people))
    expect((await next.stop()).code).toBe(0)
  },
)

test('a first start that was killed while it made the demo is made good by the next', async () => {
  const folder = dataFolder()
  const first = run('up', { DATA_DIR: folder })
  await first.waitForOutput(/Database ready/)
  // the moment between accounts that nobody has the passwords of and the file that tells them
  await until('the demo has begun', () => existsSync(join(folder, 'demo.unfinished')))
  await until(
    'people are there',
    async () => !existsSync(join(folder, 'demo.unfinished')) || (await peopleIn(folder)) > 0,
  )
  await first.stop('SIGKILL')
  // had it got through after all, the state of such a moment is put back
  writeFileSync(join(folder, 'demo.unfinished'), '')

  const patio = await start('up', { DATA_DIR: folder })
  const { operator, organizations } = readDemo(folder)
  for (const person of [operator, itemAt(firstOf(organizations).people, 1)]) await signIn(patio.url, person)
  expect(existsSync(join(folder, 'demo.unfinished'))).toBe(false)
  expect(await peopleIn(folder)).toBe(1 + organizations.reduce((sum, { people }) => sum + people.length, 0))
  await patio.stop()
})

async function peopleIn(folder: string): Promise<number> {
  const client = new pg.Client({
    connectionString: readFileSync(join(folder, 'database.url'), 'utf8').trim(),
  })
  await client.connect()
  const { rows } = await client.query('select count(*)::int as n from person')
  await client.end()
  return rows[0].n
}
