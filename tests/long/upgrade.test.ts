import { spawnSync } from 'node:child_process'
import { cpSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { createLead, readLead } from '#contract/crm/leads.ts'
import { verifyAudit } from '#contract/identity/audit-log.ts'
import { createAsset, readAsset } from '#contract/studio/assets.ts'
import { migrate } from '#platform/data/migrate.ts'
import { connect } from '#sdk/client.ts'
import { openTokens } from '#server/identity/sessions/tokens.ts'
import { defined, itemAt } from '#tests/support/elements.ts'
import { emptyDatabase } from '#tests/support/postgres.ts'
import { dataFolder, endAll, removeFolders, run, start, until } from '#tests/support/processes.ts'
import { loadRelease, readRelease, releaseFolder } from '#tests/upgrade/release-data.ts'

const root = join(import.meta.dirname, '../..')
const version = '0.1.0'
/** The commit at which the data of the release were stored. */
const releaseCommit = '4dc3509f4b290a3d65dfd0d7dccd38947bc2ea65'
const rowCount = 1_000_000
const probePauseMs = 20
/** So that the calls of a credential stay below its limit. */
const writePauseMs = 200
const longestLockMs = 1_000

afterAll(() => {
  endAll()
  removeFolders()
})

/** The program of the release, with the packages of this tree, which are the same. */
function programOfRelease(): string {
  const folder = dataFolder()
  const parts = ['contract', 'dashboard/build', 'migrations', 'sdk', 'server', 'tools', 'package.json']
  const archive = spawnSync('git', ['archive', releaseCommit, ...parts], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  })
  expect(archive.status, `this test needs the history of the repository\n${archive.stderr}`).toBe(0)
  expect(spawnSync('tar', ['-x', '-C', folder], { input: archive.stdout }).status).toBe(0)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return join(folder, 'server/main.mjs')
}

type Refused = { status: number; message: string }

/** Calls that go on one after another until `stop`: what was acknowledged, and what was refused. */
function keepWriting(writers: readonly (() => Promise<string>)[]) {
  const acknowledged: string[][] = writers.map(() => [])
  const refused: Refused[] = []
  let isStopping = false
  const done = Promise.all(
    writers.map(async (write, index) => {
      while (!isStopping) {
        try {
          itemAt(acknowledged, index).push(await write())
        } catch (error) {
          refused.push({ status: (error as Partial<Refused>).status ?? 0, message: `${error}` })
        }
        await sleep(writePauseMs)
      }
    }),
  )
  return {
    acknowledged,
    refused,
    count: () => acknowledged.reduce((sum, ids) => sum + ids.length, 0),
    async stop() {
      isStopping = true
      await done
    },
  }
}

test('processes of the release go on while this version migrates and beside its processes, and lose nothing', async () => {
  const database = await emptyDatabase()
  await loadRelease(database.url, version)
  const release = readRelease(version)
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  // what the release knew has expired since
  await client.query(`update session set expires_at = now() + interval '1 day' where id = $1`, [
    release.owner.sessionId,
  ])
  const sessionKeys = [{ kid: 'k1', secret: 'the key of the sessions of this test' }]
  const { token } = await openTokens(sessionKeys).sign('session', release.owner)
  const dataDir = dataFolder()
  cpSync(join(releaseFolder(version), 'files'), join(dataDir, 'files'), { recursive: true })
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    FILES_URL: `file:${join(dataDir, 'files')}`,
    SIGN_IN_SECRET: release.signInSecret,
    SESSION_KEYS: sessionKeys.map(({ kid, secret }) => `${kid}:${secret}`).join(),
    DASHBOARD: 'off',
  }
  const old = { program: programOfRelease() }
  const oldApi = await start('api', env, old)
  const oldWorker = await start('worker', env, old)

  let next = 0
  const writersAt = (url: string) => {
    const person = connect(url, { token }, { retries: 0 })
    const application = connect(url, { apiKey: defined(release.headers.apiKey['x-api-key']) }, { retries: 0 })
    return [
      async () => {
        const body = { email: `lead-${next++}@example.test`, firstName: 'Kept' }
        return (await application.call(createLead, { body })).lead.id
      },
      async () => {
        const body = { type: 'PROMPT' as const, name: `Kept ${next++}`, bodyMarkdown: 'Kept.' }
        return (await person.call(createAsset, { body })).id
      },
    ]
  }
  const before = keepWriting([...writersAt(oldApi.url), ...writersAt(oldApi.url)])
  await until('the old processes write', () => before.count() > 50)
  const countBefore = before.count()
  expect(await run('migrate', env).exited).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^Applied 0027-/),
  })
  const countMigrated = before.count()
  await until('the old processes write on', () => before.count() > countMigrated + 50)

  // an old process that ends does not come back, and says why
  expect(await run('api', env, old).exited).toMatchObject({
    output: expect.stringContaining('The database is newer than this version of Patio'),
  })
  const newApi = await start('api', env)
  const newWorker = await start('worker', env)
  const beside = keepWriting(writersAt(newApi.url))
  await until('both versions write', () => beside.count() > 50)
  await oldWorker.stop()
  await before.stop()
  await oldApi.stop()
  await beside.stop()

  const owner = connect(newApi.url, { token }, { retries: 0 })
  const relayed = async () => (await client.query('select 1 from outbox limit 1')).rowCount === 0
  await until('every event is relayed', relayed)
  for (const { acknowledged } of [before, beside]) {
    for (const [index, ids] of acknowledged.entries()) {
      // leads and assets take turns in the list of writers
      const read = (id: string) =>
        index % 2 === 0 ? owner.call(readLead, { params: { id } }) : owner.call(readAsset, { params: { id } })
      for (const id of ids) await read(id)
    }
  }
  expect(await owner.call(verifyAudit)).toMatchObject({ valid: true })
  process.stdout.write(
    `${before.count()} writes by the old processes, ${countMigrated - countBefore} of them during the migration, ` +
      `${before.refused.length} refused; ${beside.count()} by the new ones beside them, ${beside.refused.length} refused\n`,
  )
  expect(countMigrated).toBeGreaterThan(countBefore)
  // a client repeats these, after a pause
  const failed = [...before.refused, ...beside.refused].filter(({ status }) => ![429, 503].includes(status))
  expect(failed).toEqual([])
  await newWorker.stop()
  await newApi.stop()
  await client.end()
  await database.drop()
})

/** A change of a large table by the recipe of CONTRIBUTING.md. */
const recipe = {
  '9001-column.sql': `alter table membership add column nickname text;\nalter table unit add column color text not null default 'blue';\n`,
  '9002-index.sql':
    '-- outside a transaction\n' +
    'create index concurrently if not exists membership_nickname on membership (organization_id, nickname);\n' +
    'create index concurrently if not exists unit_color on unit (organization_id, color, id);\n',
}

test('no request waits a second for a lock while tables of a million rows are migrated', async () => {
  const database = await emptyDatabase()
  await loadRelease(database.url, version)
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(`insert into organization (id, name, plan) values ('large', 'Large', 'ENTERPRISE')`)
  await client.query(
    `insert into unit (organization_id, id, kind, name)
     select 'large', 'unit-' || n, 'GROUP', 'Unit ' || n from generate_series(1, $1) n`,
    [rowCount],
  )
  await client.query(
    `insert into person (id, name, email) select 'p' || n, 'Person ' || n, n || '@large.test' from generate_series(1, $1) n`,
    [rowCount],
  )
  await client.query(
    `insert into membership (organization_id, person_id, role, name, email)
     select 'large', 'p' || n, 'MEMBER', 'Person ' || n, n || '@large.test' from generate_series(1, $1) n`,
    [rowCount],
  )
  const folder = dataFolder()
  cpSync(join(root, 'migrations'), folder, { recursive: true })
  for (const [name, text] of Object.entries(recipe)) writeFileSync(join(folder, name), text)

  const probes = await Promise.all(
    ['unit', 'membership'].map(table => startProbe(database.url, table as 'unit' | 'membership')),
  )
  await until('the probes work', () => probes.every(({ waits }) => waits.length > 20))
  const idleMs = probes.map(({ waits }) => Math.max(...waits.splice(0)))
  const startedAt = performance.now()
  const applied = await migrate(database.url, pathToFileURL(`${folder}/`))
  const migrationMs = performance.now() - startedAt
  for (const probe of probes) await probe.stop()
  expect(applied).toEqual(expect.arrayContaining(['0027-provisioning.sql', ...Object.keys(recipe)]))
  const { rows } = await client.query('select count(*)::int as n from pg_index where not indisvalid')
  expect(rows[0].n).toBe(0)
  for (const [index, { table, waits, failures }] of probes.entries()) {
    process.stdout.write(
      `${table}: ${waits.length} writes and reads in ${(migrationMs / 1000).toFixed(1)} s, the longest took ` +
        `${Math.max(...waits).toFixed(0)} ms; ${itemAt(idleMs, index).toFixed(0)} ms before the migrations\n`,
    )
    expect(waits.length).toBeGreaterThan(20)
    expect(failures).toEqual([])
  }
  await client.end()
  await database.drop()
})

/** Writes and reads rows of a table every 20 ms. A statement that waits a second for a lock fails. */
async function startProbe(url: string, table: 'unit' | 'membership') {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`set lock_timeout = ${longestLockMs}`)
  const [id, prefix] = table === 'unit' ? ['id', 'unit-'] : ['person_id', 'p']
  const waits: number[] = []
  const failures: string[] = []
  let isStopping = false
  const done = (async () => {
    for (let n = 1; !isStopping; n++) {
      const key = [`${prefix}${((n * 7919) % rowCount) + 1}`]
      const startedAt = performance.now()
      try {
        await client.query(
          `update ${table} set name = name || '!' where organization_id = 'large' and ${id} = $1`,
          key,
        )
        await client.query(`select name from ${table} where organization_id = 'large' and ${id} = $1`, key)
      } catch (error) {
        failures.push((error as Error).message)
      }
      waits.push(performance.now() - startedAt)
      await sleep(probePauseMs)
    }
  })()
  return {
    table,
    waits,
    failures,
    async stop() {
      isStopping = true
      await done
      await client.end()
    },
  }
}
