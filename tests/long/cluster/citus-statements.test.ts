import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '#platform/data/database.ts'
import { migrate } from '#platform/data/migrate.ts'
import { distribute } from '#server/distribution/distribute.sql.ts'
import { everyStatement } from '../../invariants/every-statement.ts'
import { type CitusDatabase, citusUrl, freshCitusDatabase, onNode } from '../../support/citus.ts'
import { defined } from '../../support/elements.ts'
import { dataFolder } from '../../support/processes.ts'
import { type CitusPlan, citusPlan, refusedRun } from './citus-plan.ts'

const shardCount = 8
const connection = {
  poolSize: 1,
  connectTimeoutMs: 10_000,
  statementTimeoutMs: 60_000,
  lockTimeoutMs: 10_000,
  idleInTransactionTimeoutMs: 60_000,
  applicationName: 'citus test',
}
const root = join(import.meta.dirname, '../../..')
/** The statements that do not keep the law yet, and the tasks of the others that go to several shards. */
const recordFile = join(import.meta.dirname, 'citus-plans.json')

/** Statements by the class of what is wrong. A statement that fails and is not here fails the test, and so does one that passes. */
type Failing = Record<string, string[]>
type PlanRecord = { tenant: Failing; crossTenant: Failing; tasksOfCrossTenant: Record<string, number> }

type ForeignKey = { table: string; name: string; definition: string }

describe.skipIf(citusUrl === undefined)('on Citus', () => {
  let database: CitusDatabase
  let keysBefore: ForeignKey[]
  beforeAll(async () => {
    database = await freshCitusDatabase(defined(citusUrl))
    await migrate(database.url)
    keysBefore = await foreignKeys(database.url)
    // killed among the first tables, and among the last ones
    for (const lines of [5, 100]) await killedAfter(database.url, lines)
    await distribute(database.url, { shardCount, print: () => {} })
  }, 30 * 60_000)
  afterAll(() => database?.drop())

  test('a distribution that is killed and continued ends with all foreign keys', async () => {
    expect(keysBefore.length).toBeGreaterThan(150)
    expect(await foreignKeys(database.url)).toEqual(keysBefore)
  })

  test('another run changes nothing', async () => {
    const lines: string[] = []
    await distribute(database.url, { print: line => lines.push(line) })
    expect(lines).toEqual([])
    await expect(distribute(database.url, { shardCount: shardCount + 1, print: () => {} })).rejects.toThrow(
      `${shardCount} shards already`,
    )
  })

  test('each node accepts connections', async () => {
    expect(database.workerUrls.length).toBeGreaterThan(0)
    for (const [n, url] of database.workerUrls.entries()) {
      await onNode(url, async client => {
        await client.query(`insert into organization (id, name, plan) values ('o${n}', 'O', 'BUSINESS')`)
        await client.query(
          `insert into role (organization_id, id, name, permissions) values ('o${n}', 'r', 'R', '{}')`,
        )
      })
      const read = await onNode(database.url, client =>
        client.query(`select from role where organization_id = 'o${n}'`),
      )
      expect(read.rowCount).toBe(1)
    }
    await expect(distribute(defined(database.workerUrls[0]), { print: () => {} })).rejects.toThrow(
      'Only the coordinator distributes',
    )
  })

  test('a statement that is planned once runs, with the plan for its values', async () => {
    const once = (await everyStatement()).filter(({ plan }) => plan === 'generic')
    expect(once.length).toBeGreaterThan(5)
    const opened = await openDatabase({ ...connection, url: database.url })
    try {
      for (const statement of once) {
        const args = Object.fromEntries(statement.parameters.map(name => [name, null]))
        expect(await opened.of('o0').rows(statement, args)).toBeInstanceOf(Array)
      }
    } finally {
      await opened.close()
    }
  })

  test('changes of access from each node have the greatest number of a transaction', async () => {
    for (const [n, url] of [database.url, ...database.workerUrls].entries())
      await onNode(url, client =>
        client.query(`insert into access_change (organization_id, id) values ('o${n}', 'c')`),
      )
    const { rows } = await onNode(database.url, client =>
      client.query(`select tx::text from access_change group by tx`),
    )
    expect(rows).toEqual([{ tx: String(2n ** 64n - 1n) }])
  })

  test('a new table of a later migration is distributed, with foreign keys to distributed tables', async () => {
    await onNode(database.url, client =>
      client.query(`set citus.enable_local_reference_table_foreign_keys to off;
        create table later (organization_id text not null references organization (id), id text not null, role_id text,
          primary key (organization_id, id),
          constraint later_role foreign key (organization_id, role_id) references role (organization_id, id))`),
    )
    const lines: string[] = []
    await distribute(database.url, { print: line => lines.push(line) })
    expect(lines).toEqual(['later: distributed', '2 foreign keys added again'])
    expect((await foreignKeys(database.url)).filter(({ table }) => table === 'later')).toHaveLength(2)
    await onNode(database.url, client => client.query('drop table later'))
  })

  test('what is immutable on one server is so on Citus', async () => {
    await onNode(database.url, async client => {
      await client.query(
        `insert into consent_text (organization_id, locale, version, text, sha256) values ('o0', 'en', 1, 'I agree', '00')`,
      )
      await expect(client.query(`delete from consent_text where organization_id = 'o0'`)).rejects.toThrow(
        'immutable',
      )
    })
  })

  test('each statement runs with parameters', async () => {
    const refused = await onNode(database.url, async client => {
      const found: Record<string, string> = {}
      for (const statement of await everyStatement()) {
        const problem = await refusedRun(client, statement)
        if (problem !== undefined) found[statement.text] = problem
      }
      return found
    })
    expect(refused).toEqual({})
  })

  test('each statement of an organization is one query to one shard, and each other one is planned', async () => {
    const seen = await onNode(database.url, plansOf)
    if (process.env.CITUS_PLANS === 'write')
      writeFileSync(recordFile, `${JSON.stringify(seen, undefined, 2)}\n`)
    const { tenant, crossTenant } = seen
    process.stdout.write(`Of organizations:\n${counts(tenant)}\nOf others:\n${counts(crossTenant)}\n`)
    expect(seen).toEqual(JSON.parse(readFileSync(recordFile, 'utf8')))
  })
})

async function plansOf(client: pg.Client): Promise<PlanRecord> {
  const seen: PlanRecord = { tenant: {}, crossTenant: {}, tasksOfCrossTenant: {} }
  for (const statement of await everyStatement()) {
    const plan = await citusPlan(client, statement)
    const name = `${statement.name} ${statement.text.slice(0, 70)}`
    const isCrossTenant = statement.crossTenantReason !== undefined
    const problem = problemOf(plan, isCrossTenant)
    if (problem !== undefined) {
      const failing = isCrossTenant ? seen.crossTenant : seen.tenant
      failing[problem] = [...(failing[problem] ?? []), name].sort()
    } else if (plan.tasks > 1) seen.tasksOfCrossTenant[name] = plan.tasks
  }
  return seen
}

/** A statement that is not about one organization may go to several shards. */
function problemOf(plan: CitusPlan, isCrossTenant: boolean): string | undefined {
  if (plan.error !== undefined) return plan.error
  if (plan.isPulled) return 'insert … select through the coordinator'
  if (isCrossTenant) return undefined
  if (plan.hasSubplans) return 'several queries, one after another'
  return plan.tasks > 1 ? 'several shards' : undefined
}

function counts(failing: Failing): string {
  return Object.entries(failing)
    .map(([problem, { length }]) => `  ${String(length).padStart(4)} ${problem}`)
    .join('\n')
}

async function foreignKeys(url: string): Promise<ForeignKey[]> {
  const { rows } = await onNode(url, client =>
    client.query<ForeignKey>(
      `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
       where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace
         and not relation_is_a_known_shard(conrelid) order by 1, 2`,
    ),
  )
  return rows
}

/** Runs the command and kills it when it has printed some lines. */
async function killedAfter(url: string, lines: number): Promise<void> {
  const command: ChildProcess = spawn(
    process.execPath,
    ['server/main.mjs', 'distribute', '--shards', String(shardCount)],
    {
      cwd: root,
      env: {
        ...process.env,
        DATABASE_URL: url,
        DATA_DIR: dataFolder(),
        SIGN_IN_SECRET: 'a secret of the tests with 32 characters',
        SESSION_KEYS: 'k:a secret of the tests with 32 characters',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const ended = once(command, 'exit')
  let printed = 0
  for await (const _ of createInterface(defined(command.stdout))) {
    printed += 1
    if (printed === lines) command.kill('SIGKILL')
  }
  await ended
}
