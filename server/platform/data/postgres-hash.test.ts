import pg from 'pg'
import { expect, test } from 'vitest'
import { newId } from '#platform/ids.ts'
import { freshDatabase } from '#tests/support/postgres.ts'
import { postgresHash } from './postgres-hash.ts'

test('a text has the hash that PostgreSQL computes', async () => {
  const texts = [...Array.from({ length: 40 }, (_, length) => 'ñ9zÿ€'.repeat(9).slice(0, length)), newId()]
  const { url, drop } = await freshDatabase()
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query('select text, hashtext(text) as hash from unnest($1::text[]) text', [
    texts,
  ])
  await client.end()
  await drop()
  expect(texts.map(text => ({ text, hash: postgresHash(text) }))).toEqual(rows)
})
