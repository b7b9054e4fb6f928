import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase } from '#tests/support/postgres.ts'
import { until } from '#tests/support/processes.ts'
import { assertMigrated, migrate } from './migrate.ts'

let folder: string
let client: pg.Client
let url: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'patio-migrations-'))
  // a fresh database has the migrations of the product, which the folder continues
  await cp(new URL('../../../migrations/', import.meta.url), folder, { recursive: true })
  const database = await freshDatabase()
  url = database.url
  client = new pg.Client({ connectionString: url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await rm(folder, { recursive: true })
})

async function write(name: string, text: string): Promise<void> {
  await writeFile(join(folder, name), text)
}
const run = () => migrate(url, pathToFileURL(`${folder}/`))

test('each file is applied once, whole or not at all', async () => {
  await write('9001-thing.sql', 'create table thing (id text, note text);')
  expect(await run()).toEqual(['9001-thing.sql'])
  expect(await run()).toEqual([])
  await write('9002-broken.sql', 'create table other (id text); select no_such_thing();')
  await expect(run()).rejects.toThrow('9002-broken.sql')
  const { rows } = await client.query("select to_regclass('other') as made")
  expect(rows).toEqual([{ made: null }])
  await write('9002-broken.sql', 'create table other (id text);')
  expect(await run()).toEqual(['9002-broken.sql'])
})

test('a migration that waits for a table lets its writers pass, and is applied once it is free', async () => {
  await write('9002-waits.sql', 'alter table thing add column kind text;')
  const holder = new pg.Client({ connectionString: url })
  await holder.connect()
  await holder.query('begin; select * from thing')
  const migrating = run()
  await until('it waits', async () => {
    const { rows } = await client.query(`select 1 from pg_stat_activity where wait_event_type = 'Lock'`)
    return rows.length > 0
  })
  // behind a lock that is waited for, this one would wait until the holder ends
  await client.query("insert into thing (id) values ('beside')")
  await client.query("delete from thing where id = 'beside'")
  await holder.query('commit')
  await holder.end()
  expect(await migrating).toEqual(['9002-waits.sql'])
  await client.query('alter table thing drop column kind')
})

test('an index is built beside running writers, and again when it was cut short', async () => {
  await client.query("insert into thing values ('a', 'same'), ('b', 'same')")
  await write(
    '9003-index.sql',
    '-- outside a transaction\ncreate unique index concurrently if not exists thing_note on thing (note);',
  )
  await expect(run()).rejects.toThrow('9003-index.sql')
  const valid = async () => {
    const { rows } = await client.query(
      "select i.indisvalid from pg_index i where i.indexrelid = to_regclass('thing_note')",
    )
    return rows[0]?.indisvalid
  }
  expect(await valid()).toBe(false)
  await client.query('update thing set note = id')
  expect(await run()).toEqual(['9003-index.sql'])
  expect(await valid()).toBe(true)
})

test('several indexes are built one after another, and the rest after a kill in the middle', async () => {
  await client.query('create table busy (id text, note text)')
  await write(
    '9004-indexes.sql',
    `-- outside a transaction
-- the first; not a statement
create index concurrently if not exists thing_id on thing (id);
create index concurrently if not exists busy_id on busy (id);
create index concurrently if not exists busy_note
  on busy (note) where note <> 'x';
drop index concurrently if exists thing_note;`,
  )
  const state = async () => {
    const { rows } = await client.query<{ name: string; valid: boolean }>(
      `select indexrelid::regclass::text as name, indisvalid as valid from pg_index
       where indrelid in ('busy'::regclass, 'thing'::regclass)`,
    )
    return Object.fromEntries(rows.map(({ name, valid }) => [name, valid]))
  }
  // the second build waits for a writer, and is killed meanwhile
  const writer = new pg.Client({ connectionString: url })
  await writer.connect()
  await writer.query(`begin; insert into busy values ('a', 'b')`)
  const running = expect(run()).rejects.toThrow('Migration 9004-indexes.sql failed')
  const killed = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%busy_id%' and pid <> pg_backend_pid()`
  await until('the second build waits', async () => (await client.query(killed)).rowCount === 1)
  await running
  await writer.query('commit')
  await writer.end()
  expect(await state()).toEqual({ thing_note: true, thing_id: true, busy_id: false })
  expect(await applied('9004-indexes.sql')).toBe(false)
  expect(await run()).toEqual(['9004-indexes.sql'])
  expect(await state()).toEqual({ thing_id: true, busy_id: true, busy_note: true })
  expect(await applied('9004-indexes.sql')).toBe(true)
})

test('a process that waits for another one to migrate does not stop the build of an index', async () => {
  await write(
    '9004-later.sql',
    '-- outside a transaction\ncreate index concurrently if not exists busy_both on busy (id, note);',
  )
  const writer = new pg.Client({ connectionString: url })
  await writer.connect()
  await writer.query(`begin; insert into busy values ('c', 'd')`)
  const building = run()
  const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%busy_both%'
    and datname = current_database() and pid <> pg_backend_pid()`
  await until('the build waits', async () => (await client.query(waits)).rowCount === 1)
  const beside = run()
  const asks = `select from pg_stat_activity where query like '%advisory_lock%' and datname = current_database()
    and pid <> pg_backend_pid()`
  await until('another one waits for the first', async () => (await client.query(asks)).rowCount! > 0)
  await writer.query('commit')
  await writer.end()
  expect(await Promise.all([building, beside])).toEqual([['9004-later.sql'], []])
})

async function applied(name: string): Promise<boolean> {
  const { rowCount } = await client.query('select from migration where name = $1', [name])
  return rowCount === 1
}

describe('refuses with a sentence that says what to do', () => {
  const refused = async (message: string) => {
    await expect(run()).rejects.toThrow(message)
    await expect(assertMigrated(url, pathToFileURL(`${folder}/`))).rejects.toThrow(message)
  }

  test('a database that a newer version migrated', async () => {
    await client.query("insert into migration (name, checksum) values ('9999-newer.sql', '')")
    await refused('The database is newer than this version of Patio: it has the migration 9999-newer.sql')
    await client.query("delete from migration where name = '9999-newer.sql'")
  })

  test('a file that changed after it was applied, but not other line ends', async () => {
    await write('9005-changed.sql', 'create table changed (id text);\n')
    expect(await run()).toEqual(['9005-changed.sql'])
    await write('9005-changed.sql', 'create table changed (id text);\r\n')
    expect(await run()).toEqual([])
    await write('9005-changed.sql', 'create table changed (id text, name text);\n')
    await refused('migrations/9005-changed.sql is not the file that was applied to this database.')
    await write('9005-changed.sql', 'create table changed (id text);\n')
  })

  test('a file with a number before the last one that was applied', async () => {
    await write('9000-late.sql', 'create table late (id text);')
    await refused('migrations/9000-late.sql comes before 9005-changed.sql')
    await rm(join(folder, '9000-late.sql'))
  })

  test('a process that starts before its migrations are applied', async () => {
    await write('9006-pending.sql', 'create table pending (id text);')
    const started = assertMigrated(url, pathToFileURL(`${folder}/`))
    await expect(started).rejects.toThrow('The database lacks the migration 9006-pending.sql.')
    await run()
    await assertMigrated(url, pathToFileURL(`${folder}/`))
  })

  test('a database from before the first release', async () => {
    await client.query('alter table migration drop column checksum')
    await refused('This database was created by a version before the first release')
  })

  test('and lets a process start that cannot reach its database yet', async () => {
    await assertMigrated('postgres://nobody@127.0.0.1:1/none', pathToFileURL(`${folder}/`))
  })
})
