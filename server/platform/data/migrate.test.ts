import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '#tests/support/postgres.ts'
import { migrate } from './migrate.ts'

let folder: string
let client: pg.Client
let url: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'patio-migrations-'))
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

test('an index is built beside running writers, and again when it was cut short', async () => {
  await client.query("insert into thing values ('a', 'same'), ('b', 'same')")
  await write(
    '9003-index.sql',
    '-- outside a transaction\ncreate unique index concurrently thing_note on thing (note);',
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
