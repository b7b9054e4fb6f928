import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CitusDatabase, citusUrl, freshCitusDatabase } from '#tests/support/citus.ts'
import { defined } from '#tests/support/elements.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/postgres.ts'

// Each shape of an insert that skips conflicts runs on Citus and on plain PostgreSQL, with the same rows before it, and must answer the
// same number of rows and leave the same rows.

const schema = `
  create table answered (organization_id text, word text, n integer not null default 0, primary key (organization_id, word));
  create table answer_source (organization_id text, word text, primary key (organization_id, word))`
const rows = `
  insert into answered (organization_id, word) values ('o', 'a'), ('o', 'b'), ('p', 'a');
  insert into answer_source (organization_id, word) values ('o', 'a'), ('o', 'c'), ('p', 'a')`
const words = ['a', 'b', 'c', 'd']

type Shape = readonly [text: string, values: readonly unknown[]]

/** The shapes that statements of the product have. */
const shapes: Readonly<Record<string, Shape>> = {
  'one row': [
    'insert into answered (organization_id, word) values ($1, $2) on conflict do nothing',
    ['o', 'a'],
  ],
  'rows of parameters': [
    `insert into answered (organization_id, word) select $1, w from unnest($2::text[]) w order by w
     on conflict do nothing returning word`,
    ['o', words],
  ],
  'rows of parameters that change others': [
    `insert into answered as t (organization_id, word) select $1, w from unnest($2::text[]) w order by w
     on conflict (organization_id, word) do update set n = t.n + 1 where t.word = 'a' returning t.n`,
    ['o', words],
  ],
  'a row under a condition': [
    `insert into answered (organization_id, word) select $1, $2::text
     where 5 > (select count(*) from answer_source s where s.organization_id = $1)
     on conflict do nothing returning word`,
    ['o', 'a'],
  ],
  'rows of a table': [
    `insert into answered (organization_id, word) select s.organization_id, s.word from answer_source s
     where s.organization_id = $1 on conflict do nothing returning word`,
    ['o'],
  ],
  'a constant and rows of a table': [
    `insert into answered (organization_id, word) select $1, s.word from answer_source s
     where s.organization_id = $1 on conflict do nothing returning word`,
    ['o'],
  ],
  'rows within a statement': [
    `with written as (
       insert into answered (organization_id, word) select $1, w from unnest($2::text[]) w order by w
       on conflict do nothing returning word)
     select word from written`,
    ['o', words],
  ],
}

/** What `npm test` refuses in a statement. */
const refused: Shape = [
  'insert into answered (organization_id, word) select $1, w from unnest($2::text[]) w on conflict do nothing',
  ['o', words],
]

describe.skipIf(citusUrl === undefined)('the number of rows that an insert wrote', () => {
  let database: FreshDatabase
  let distributed: CitusDatabase
  let plain: pg.Client
  let citus: pg.Client

  beforeAll(async () => {
    database = await freshDatabase()
    plain = await connected(database.url)
    distributed = await freshCitusDatabase(defined(citusUrl))
    citus = await connected(distributed.url)
    await plain.query(schema)
    await citus.query(schema)
    await citus.query(
      `select create_distributed_table('answered', 'organization_id', colocate_with => 'none')`,
    )
    await citus.query(
      `select create_distributed_table('answer_source', 'organization_id', colocate_with => 'answered')`,
    )
    for (const client of [plain, citus]) await client.query(rows)
  })
  afterAll(async () => {
    await Promise.all([plain?.end(), citus?.end()])
    await Promise.all([database?.drop(), distributed?.drop()])
  })

  test.each(Object.entries(shapes))('%s', async (_, shape) => {
    expect(await outcome(citus, shape)).toEqual(await outcome(plain, shape))
  })

  test('counts conflicts on Citus in the shape that is refused', async () => {
    expect((await outcome(plain, refused)).count).toBe(2)
    expect((await outcome(citus, refused)).count).toBe(words.length)
  })
})

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

/** The number of rows that a statement answers, and the rows of the table after it; then it is undone. */
async function outcome(client: pg.Client, [text, values]: Shape) {
  await client.query('begin')
  try {
    const { rowCount } = await client.query(text, [...values])
    const { rows } = await client.query('select * from answered order by organization_id, word')
    return { count: rowCount, rows }
  } finally {
    await client.query('rollback')
  }
}
