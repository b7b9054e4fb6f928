import { existsSync, readFileSync, statSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { readCaller } from '#contract/identity/sessions.ts'
import { readOwnApplication } from '#contract/integrations/applications.ts'
import { connect } from '#sdk/client.ts'
import { wrongSettingsExit } from '#server/config.ts'
import { clientOf, readDemo, signIn } from '#tests/faults/demo.ts'
import { crowd } from '#tests/support/crowd.ts'
import { firstOf } from '#tests/support/elements.ts'
import { freshDatabase } from '#tests/support/postgres.ts'
import {
  dataFolder,
  endAll,
  processesOn,
  removeFolders,
  run,
  start,
  usedDataFolder,
} from '#tests/support/processes.ts'

const password = 'Vierzig blaue Traktoren'
const secrets = {
  SIGN_IN_SECRET: 'a secret of this test that is long enough',
  SESSION_KEYS: 't1:a key of this test that is long enough',
}
const createOperator = ['create', '--email', 'Olga@Example.test', '--name', 'Olga Operator']
const cuid = expect.stringMatching(/^c[a-z0-9]{24}$/)
const text = expect.stringMatching(/.+/)
const applicationKey = expect.stringMatching(/^patio_app_\w{73}$/)

afterAll(() => {
  endAll()
  removeFolders()
})

async function peopleIn(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query('select count(*)::int as n from person')
  await client.end()
  return rows[0].n
}

test('the first start writes a private demo.json, and its people can sign in', async () => {
  const folder = dataFolder()
  const patio = await start('up', { DATA_DIR: folder })
  const demo = readDemo(folder)
  const account = { email: expect.stringMatching(/@/), password: expect.stringMatching(/^.{12,}$/) }
  expect(demo).toEqual({
    baseUrl: patio.url,
    operator: account,
    organizations: expect.arrayContaining([
      {
        id: cuid,
        name: text,
        plan: expect.stringMatching(/^(FREE|TEAM|BUSINESS|ENTERPRISE)$/),
        people: expect.arrayContaining([{ id: cuid, ...account, role: 'OWNER' }]),
        applications: [
          { id: cuid, slug: 'support-desk', name: 'Support desk', key: applicationKey },
          { id: cuid, slug: 'website', name: 'Website', key: applicationKey },
        ],
      },
    ]),
  })
  expect(new URL(patio.url).port).not.toBe('0')
  expect(statSync(join(folder, 'demo.json')).mode & 0o777).toBe(0o600)
  const all = [demo.operator, ...demo.organizations.flatMap(({ people }) => people)]
  expect(new Set(all.map(person => person.password)).size, 'each has a password of their own').toBe(
    all.length,
  )

  const { id, ...person } = firstOf(firstOf(demo.organizations).people)
  expect((await (await clientOf(patio.url, person)).call(readCaller)).person.id).toBe(id)
  const operator = await (await clientOf(patio.url, demo.operator)).call(readCaller)
  expect(operator.isOperator).toBe(true)
  for (const { key, ...application } of firstOf(demo.organizations).applications)
    expect(await connect(patio.url, { apiKey: key }).call(readOwnApplication)).toMatchObject(application)
  expect((await patio.stop()).code).toBe(0)
})

test('a later start, at another address, is ready within four seconds and changes nothing', async () => {
  const folder = await usedDataFolder()
  const before = readFileSync(join(folder, 'demo.json'), 'utf8')
  const { mtimeMs } = statSync(join(folder, 'demo.json'))
  const times: number[] = []
  const isQuick = () => Math.min(...times) < 4_000 * crowd()
  for (let round = 0; round < 3 && !isQuick(); round++) {
    const startedAt = performance.now()
    const patio = await start('up', { DATA_DIR: folder })
    times.push(Math.round(performance.now() - startedAt))
    expect(patio.url).not.toBe(readDemo(folder).baseUrl)
    expect(patio.output(), 'the banner has the address of this start').toContain(`PATIO=${patio.url}\n`)
    await signIn(patio.url, firstOf(firstOf(readDemo(folder).organizations).people))
    await assertOnLoopback(patio.url)
    await patio.stop()
  }
  expect(readFileSync(join(folder, 'demo.json'), 'utf8')).toBe(before)
  expect(statSync(join(folder, 'demo.json')).mtimeMs).toBe(mtimeMs)
  process.stdout.write(
    `Ready after ${times.join(', ')} ms; ${crowd().toFixed(1)} programs for each processor.\n`,
  )
  expect(isQuick()).toBe(true)
})

/** The demo cannot be reached over the network. */
async function assertOnLoopback(url: string): Promise<void> {
  const outside = Object.values(networkInterfaces())
    .flatMap(addresses => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')
  if (outside)
    await expect(fetch(`http://${outside.address}:${new URL(url).port}/healthz`)).rejects.toThrow(
      'fetch failed',
    )
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
}

test('without demo mode there is no account until the command line creates an operator', async () => {
  const folder = dataFolder()
  const env = { DATA_DIR: folder, DEMO: '0' }
  const patio = await start('up', env)
  expect(patio.output()).toContain('No account exists yet')
  expect(patio.output()).not.toContain('Demo people')
  expect(existsSync(join(folder, 'demo.json'))).toBe(false)
  const url = readFileSync(join(folder, 'database.url'), 'utf8').trim()
  expect(statSync(join(folder, 'database.url')).mode & 0o777).toBe(0o600)
  expect(await peopleIn(url)).toBe(0)

  // only one line is read
  const made = await run('operator', env, { args: createOperator, input: `${password}\nanother\n` }).exited
  expect(made).toMatchObject({ code: 0, output: 'Created the operator account of Olga@Example.test.\n' })
  const client = await clientOf(patio.url, { email: 'olga@example.test', password })
  expect((await client.call(readCaller)).isOperator, 'while the server runs').toBe(true)
  await patio.stop()
  expect(existsSync(join(folder, 'database.url'))).toBe(false)

  const again = await run('operator', env, { args: createOperator, input: `${password}\n` }).exited
  expect(again.code, 'while it does not run').toBe(1)
  expect(again.output).toBe('An account with this e-mail address already exists.\n')
  expect(processesOn(folder), 'the database was started for the job and stopped').toEqual([])
})

test('an operator can be created in an external database, after its migrations', async () => {
  const database = await freshDatabase()
  const env = { DATABASE_URL: database.url, DATA_DIR: dataFolder(), ...secrets }
  const refused = await run('operator', env, { args: createOperator, input: 'password' }).exited
  expect(refused.code).toBe(1)
  expect(refused.output).toMatch(/^This password is too easy to guess/)
  const made = await run('operator', env, { args: createOperator, input: password }).exited
  expect(made.code, made.output).toBe(0)
  expect(await peopleIn(database.url)).toBe(1)
  expect(made.output + refused.output, 'a password is never printed').not.toContain(password)
  await database.drop()
})

test.each<[string, Record<string, string>, RegExp]>([
  [
    'for other machines',
    { HOST: '0.0.0.0', PUBLIC_URL: 'http://192.0.2.1', DEMO: '1' },
    /^DEMO=1 only works on this machine/,
  ],
  ['at an address of others', { PUBLIC_URL: 'https://patio.example.com', DEMO: '1' }, /^DEMO=1 only works/],
])('a demo is refused %s, before anything is created', async (_where, env, complaint) => {
  const folder = dataFolder()
  const { code, output } = await run('up', { DATA_DIR: folder, ...env }).exited
  expect(code).toBe(wrongSettingsExit)
  expect(output).toMatch(complaint)
  expect(output.trim().split('\n')).toHaveLength(1)
  expect(existsSync(join(folder, 'postgres'))).toBe(false)
})

test('an unreachable database is reported in one line, without its password', async () => {
  const env = {
    DATABASE_URL: 'postgres://patio:hidden@127.0.0.1:9/patio',
    DATA_DIR: dataFolder(),
    ...secrets,
  }
  for (const command of ['up', 'migrate', 'api'] as const) {
    const { code, output } = await run(command, env).exited
    expect(code).toBe(1)
    expect(output).toMatch(/^The database refuses the connection: .*ECONNREFUSED.* Check DATABASE_URL\.\n$/)
    expect(output).not.toContain('hidden')
  }
})
