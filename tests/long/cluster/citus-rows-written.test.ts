import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AnyStatement, sql, valuesOf } from '#platform/data/statement.ts'
import { defined } from '#tests/support/elements.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/postgres.ts'

// CITUS_URL leads to a database with the extension Citus and worker nodes. Each shape of a statement that writes runs there and on plain
// PostgreSQL, with the same rows before it, and must answer the same rows and leave the same rows.
const citusUrl = process.env.CITUS_URL

const schema = `
  create table written (organization_id text, word text, n integer not null default 0, at timestamptz,
    primary key (organization_id, word));
  create table written_source (organization_id text, word text, primary key (organization_id, word))`
const rows = `
  insert into written (organization_id, word) values ('o', 'a'), ('o', 'b'), ('p', 'a');
  insert into written_source (organization_id, word) values ('o', 'a'), ('o', 'c'), ('p', 'a')`
const words = ['a', 'b', 'c', 'd']

type Shape = readonly [statement: AnyStatement, args: object]

const unnested = 'select $organization, w from unnest($words::text[]) w order by w'
const sourced = `from written_source s where s.organization_id = $organization`
/** Inserts rows, for a statement that also reads their table. */
const inserted = `with held as materialized (select s.word ${sourced}),
  new as (insert into written (organization_id, word) select $organization, h.word from held h on conflict do nothing returning word)`
const others = 'from written o where o.organization_id = $organization'

/** The shapes that statements of the product have. */
const shapes: Readonly<Record<string, Shape>> = {
  'insert one row or skip it': [
    sql('insert into written (organization_id, word) values ($organization, $word) on conflict do nothing'),
    { word: 'a' },
  ],
  'insert one row or change it, with the time of the transaction': [
    sql(`insert into written as t (organization_id, word) values ($organization, $word)
      on conflict (organization_id, word) do update set n = t.n + 1, at = now()
      where t.organization_id = $organization returning t.n, t.at = now() as "isNow"`),
    { word: 'a' },
  ],
  'insert one row or change it, with the moment of the clock': [
    sql(`insert into written as t (organization_id, word, at) values ($organization, $word, clock_timestamp())
      on conflict (organization_id, word) do update set at = excluded.at
      where t.organization_id = $organization returning now() <= t.at as "isLater"`),
    { word: 'a' },
  ],
  'insert rows of parameters or skip them': [
    sql(`insert into written (organization_id, word) ${unnested} on conflict do nothing returning word`),
    { words },
  ],
  'insert rows of parameters or change others': [
    sql(`insert into written as t (organization_id, word) ${unnested}
      on conflict (organization_id, word) do update set n = t.n + 1 where t.word = 'a' returning t.word, t.n`),
    { words },
  ],
  'insert a row under a condition': [
    sql(`insert into written (organization_id, word) select $organization, $word::text
      where 5 > (select count(*) ${sourced}) on conflict do nothing returning word`),
    { word: 'a' },
  ],
  'insert rows of a table or skip them': [
    sql(`insert into written (organization_id, word) select s.organization_id, s.word ${sourced}
      on conflict do nothing returning word`),
    {},
  ],
  'insert a constant and rows of a table or skip them': [
    sql(`insert into written (organization_id, word) select $organization, s.word ${sourced}
      on conflict do nothing returning word`),
    {},
  ],
  'insert rows within a statement': [
    sql(`with new as (
        insert into written (organization_id, word) ${unnested} on conflict do nothing returning word)
      select word from new`),
    { words },
  ],
  'insert rows and count the others': [
    sql(`${inserted} select h.word, n.word is not null as is_new,
        (select count(*) ${others} and not exists (select from new x where x.word = o.word)) as others
      from held h left join new n on n.word = h.word`),
    {},
  ],
  'change rows and read others': [
    sql(`with changed as (update written t set n = t.n + 1 where t.organization_id = $organization and t.word = $word returning t.n)
      select c.n, (select json_agg(o.n) ${others} and o.word <> $word) as others from changed c`),
    { word: 'a' },
  ],
  'change rows at the time of the transaction': [
    sql(`update written t set at = now(), n = case when t.at is null then 7 else t.n end
      where t.organization_id = $organization and t.word = any($words::text[]) and coalesce(t.at, '-infinity') < now()
      returning t.word, t.n, case when t.n = 7 then t.at = now() end as "isNow"`),
    { words },
  ],
  'change rows at the moment of the clock': [
    sql(`update written t set at = (select clock_timestamp())
      where t.organization_id = $organization returning t.word, now() <= t.at as "isLater"`),
    {},
  ],
  'change rows that another table names': [
    sql(`update written t set n = t.n + 1 ${sourced} and t.organization_id = $organization and t.word = s.word
      returning t.word, t.n`),
    {},
  ],
  'delete rows': [
    sql(`delete from written t where t.organization_id = $organization and t.word = any($words::text[])
      returning t.word, t.n`),
    { words },
  ],
  'delete rows and insert them elsewhere': [
    sql(`with gone as (
        delete from written_source s where s.organization_id = $organization returning s.word)
      insert into written as t (organization_id, word) select $organization, gone.word from gone
      on conflict (organization_id, word) do update set n = t.n + 1 returning t.word, t.n`),
    {},
  ],
}

/** The part that reads does not leave out the rows that the statement writes. */
const readsOwnRows: Shape = [
  sql(
    `${inserted} select h.word, (select count(*) ${others}) as others from held h left join new n on n.word = h.word`,
  ),
  {},
]

/** What `npm test` refuses in a statement. */
const refused: Shape = [
  sql(`insert into written (organization_id, word) ${unnested} on conflict do nothing`),
  { words },
]

describe.runIf(citusUrl)('what a statement writes', () => {
  let database: FreshDatabase
  let plain: pg.Client
  let citus: pg.Client

  beforeAll(async () => {
    database = await freshDatabase()
    plain = await connected(database.url)
    citus = await connected(defined(citusUrl))
    await plain.query(schema)
    await citus.query('drop table if exists written, written_source')
    await citus.query(schema)
    await citus.query(
      `select create_distributed_table('written', 'organization_id', colocate_with => 'none')`,
    )
    await citus.query(
      `select create_distributed_table('written_source', 'organization_id', colocate_with => 'written')`,
    )
    for (const client of [plain, citus]) await client.query(rows)
  })
  afterAll(async () => {
    await citus?.query('drop table if exists written, written_source')
    await Promise.all([plain?.end(), citus?.end()])
    await database?.drop()
  })

  test.each(Object.entries(shapes))('%s', async (_, shape) => {
    expect(await outcome(citus, shape)).toEqual(await outcome(plain, shape))
  })

  test('on Citus, a part that reads sees the rows that another part has written', async () => {
    expect((await outcome(plain, readsOwnRows)).answer).toContain('{"word":"c","others":"2"}')
    expect((await outcome(citus, readsOwnRows)).answer).toContain('{"word":"c","others":"3"}')
  })

  test('Citus counts conflicts in the shape that is refused', async () => {
    expect((await outcome(plain, refused)).count).toBe(2)
    expect((await outcome(citus, refused)).count).toBe(words.length)
  })
})

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

/** The reply to a statement of the organization `o`, and the rows of the table after it; then it is undone. */
async function outcome(client: pg.Client, [statement, args]: Shape) {
  await client.query('begin')
  try {
    const { rowCount, rows } = await client.query(statement.text, valuesOf(statement, args, 'o'))
    const left = await client.query(
      `select organization_id, word, n, at is not null as "hasTime" from written order by organization_id, word`,
    )
    return { count: rowCount, answer: rows.map(row => JSON.stringify(row)).sort(), rows: left.rows }
  } finally {
    await client.query('rollback')
  }
}
