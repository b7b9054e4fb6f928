import pg from 'pg'
import { expect, test } from 'vitest'
import { firstOf } from './elements.ts'
import { freshDatabase } from './postgres.ts'

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

test('every caller gets its own migrated database, also concurrently', async () => {
  const databases = await Promise.all(Array.from({ length: 6 }, () => freshDatabase()))
  for (const { url } of databases) {
    expect(await ask(url, `select to_regclass('migration')::text as ledger`)).toEqual([
      { ledger: 'migration' },
    ])
    await ask(url, 'create table mine (id int)')
  }
  await Promise.all(databases.map(database => database.drop()))
  await expect(ask(firstOf(databases).url, 'select 1')).rejects.toThrow('does not exist')
})
