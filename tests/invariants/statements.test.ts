import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '#platform/data/database.ts'
import { assertTenantTied } from '#platform/data/guard.ts'
import { type AnyStatement, sql } from '#platform/data/statement.ts'
import { allCaptured, defined, firstOf, itemAt } from '#tests/support/elements.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/postgres.ts'
import { declared, sourceOf, type ValueKind } from './declared.ts'
import { countParameters, everyStatement } from './every-statement.ts'

const all = await everyStatement()
const sources = declared()
const texts = all.map(sourceOf)

let database: FreshDatabase
let pool: pg.Pool
let tenantTables: Set<string>
beforeAll(async () => {
  database = await freshDatabase()
  pool = new pg.Pool({
    connectionString: database.url,
    max: 1,
    options: '-c plan_cache_mode=force_generic_plan',
  })
  // dropping the database ends a connection that is still closing
  pool.on('error', () => {})
  const { rows } = await pool.query(
    `select table_name from information_schema.columns where table_schema = 'public' and column_name = 'organization_id'`,
  )
  tenantTables = new Set(rows.map(row => row.table_name as string))
})
afterAll(async () => {
  await pool?.end()
  await database?.drop()
})

const short = ({ text }: AnyStatement) => text.slice(0, 100)

test('the tests cover every declaration', () => {
  expect(sources.length).toBeGreaterThan(50)
  const unseen = sources.filter(({ matches }) => !texts.some(matches))
  expect(unseen.map(({ place }) => `${place} is declared where no import reaches it`)).toEqual([])
})

test('each declaration has the arguments that its statement has as parameters', () => {
  const problems = sources.flatMap(({ place, matches, args }) => {
    if (args === 'any') return []
    // with interpolation, several statements may match
    const named = all
      .filter((_, at) => matches(itemAt(texts, at)))
      .map(({ parameters, crossTenantReason }) =>
        parameters.slice(crossTenantReason ? 0 : 1).filter(name => name !== 'now'),
      )
    const isComplete = named.some(names => names.every(name => args.includes(name)))
    const unused = args.filter(name => !named.some(names => names.includes(name)))
    return [
      ...(isComplete ? [] : [`${place} lacks arguments of: ${named.join(' or ')}`]),
      ...unused.map(name => `${place} does not use ${name}`),
    ]
  })
  expect(problems).toEqual([])
})

test('no type of rows has names of columns and names in camelCase', () => {
  const isMixed = (names: string[]) =>
    names.some(name => name.includes('_')) && names.some(name => /[A-Z]/.test(name))
  const mixed = sources.filter(({ row }) => row !== undefined && row !== 'any' && isMixed([...row.keys()]))
  expect(mixed.map(({ place }) => place)).toEqual([])
})

test('only rows that are replies have columns renamed in camelCase', () => {
  const renaming = sources.filter(({ matches, row, isReply }) => {
    if (row === undefined || row === 'any' || isReply) return false
    const own = texts.filter(matches)
    return [...row.keys()].some(name => /[A-Z]/.test(name) && own.some(text => renames(text, name)))
  })
  expect(renaming.map(({ place }) => place)).toEqual([])
})

/** True if a statement returns a column under this other name. A computed value has no name of its own. */
function renames(text: string, name: string): boolean {
  return new RegExp(
    `(?:\\b(?:select|returning)|,|\\)) (?!null |true |false )(?:\\w+\\.)?[a-z_]+ as "${name}"`,
  ).test(text)
}

test('a text for Citus has the columns of the other one, and locks no rows in a subselect', async () => {
  const others = all.filter(({ textOnCitus }) => textOnCitus !== undefined)
  expect(others.length).toBeGreaterThan(20)
  for (const { text, textOnCitus = '' } of others) {
    expect(await described(textOnCitus), text).toEqual(await described(text))
    expect(textOnCitus).not.toMatch(/skip locked/)
  }
})

test('each declaration has rows that its statement returns', async () => {
  const columnsOf = new Map<string, ReadonlyMap<string, ValueKind | 'any'>>()
  for (const { text } of all) columnsOf.set(text, await described(text))
  const problems = sources.flatMap(({ place, matches, row }) => {
    if (row === undefined || row === 'any') return []
    // with interpolation, several statements may match
    const complaints = all
      .filter((_, at) => matches(itemAt(texts, at)))
      .map(({ text }) => differences(row, defined(columnsOf.get(text))))
    const fewest = complaints.sort((a, b) => a.length - b.length)[0] ?? []
    return fewest.map(complaint => `${place} ${complaint}`)
  })
  expect(problems).toEqual([])
})

function differences(
  row: ReadonlyMap<string, ReadonlySet<ValueKind>>,
  columns: ReadonlyMap<string, ValueKind | 'any'>,
): string[] {
  return [...row].flatMap(([name, kinds]) => {
    const kind = columns.get(name)
    if (kind === undefined) return [`returns no ${name}`]
    return kind === 'any' || kinds.has(kind) ? [] : [`returns ${name} as ${kind}`]
  })
}

test.each(all.map(statement => ({ statement, name: short(statement) })))(
  '$name: is valid, and reads nothing without its organization',
  async ({ statement }) => {
    const { parameterCount, loose } = await planned(statement.text, countParameters(statement))
    // the organization is the first parameter of every tenant statement
    expect(parameterCount).toBe(Math.max(countParameters(statement), statement.crossTenantReason ? 0 : 1))
    if (statement.crossTenantReason) {
      expect(statement.crossTenantReason.length, 'says why it looks wider').toBeGreaterThan(15)
      expect(statement.crossTenantReason).toMatch(/ .* /)
      return
    }
    expect(() => assertTenantTied(statement, tenantTables)).not.toThrow()
    const mutants = untied(statement.text)
    const accepted = mutants.filter(text => isAccepted({ ...statement, text }))
    expect(accepted, 'the guard sees each tie that is missing').toEqual([])
    if (touched(statement.text).length > 0) expect(mutants.length).toBeGreaterThan(0)
    expect(loose, 'tables of organizations that are read without one, says the planner').toEqual([])
  },
)

test('a lock of an organization is taken on the node of its rows', () => {
  const locks = all.filter(
    ({ text, crossTenantReason }) => !crossTenantReason && /\bpg_advisory\w*\(/.test(text),
  )
  expect(locks.length).toBeGreaterThan(10)
  // see organization-lock.ts
  const elsewhere = locks.filter(
    ({ text }) => !text.includes('from relay_head o where o.organization_id = $1'),
  )
  expect(elsewhere.map(({ text }) => text)).toEqual([])
})

// Citus selects the rows of such an insert on the node that was asked and then sends them to their shard. Without `returning` it
// answers how many it sent, not how many were new: a 409 would become a 201
test('an insert that selects its rows and skips conflicts returns those that it wrote', () => {
  expect(all.filter(({ text }) => countsConflicts(text)).map(short)).toEqual([])
})

// and it does not send the values of parameters behind `on conflict` to the shards, which refuse the insert then
test('an insert that selects its rows has no parameter in what it does on a conflict', () => {
  expect(all.filter(({ text }) => losesParameters(text)).map(short)).toEqual([])
})

/** True if an `insert … select` into a table of organizations, also in a `with`, has a parameter behind its `on conflict`. */
function losesParameters(text: string): boolean {
  return levels(text).some(level => {
    const [, table] =
      /\binsert into ([a-z_]+) .*select .* on conflict (?:(?! returning ).)*\$/.exec(level) ?? []
    return table !== undefined && tenantTables.has(table)
  })
}

/** The parts of a text in parentheses and the text itself, each with `[]`, or `[$]` with a parameter, for the parts within. */
function levels(text: string): string[] {
  const found: string[] = []
  let rest = text.replace(/'(?:[^']|'')*'/g, "''")
  for (let part = innermost.exec(rest); part; part = innermost.exec(rest)) {
    const [whole, inside = ''] = part
    found.push(inside)
    rest = rest.replace(whole, () => (inside.includes('$') ? '[$]' : '[]'))
  }
  return [...found, rest]
}
const innermost = /\(([^()]*)\)/

/** True for an `insert … select … on conflict` that returns nothing. In a `with`, nobody sees its number of rows. */
function countsConflicts(text: string): boolean {
  const insert = /\binsert into [a-z_]+(?: as [a-z_]+)? ?\(\) select .* on conflict (.*)$/.exec(
    withoutParentheses(text),
  )
  return insert !== null && !/\breturning\b/.test(insert[1] ?? '')
}

/** The text without its parentheses and their content. */
function withoutParentheses(text: string): string {
  let depth = 0
  return [...text.replace(/'(?:[^']|'')*'/g, "''")]
    .filter(letter => {
      if (letter === ')') depth--
      const isOutside = depth === 0
      if (letter === '(') depth++
      return isOutside
    })
    .join('')
}

function isAccepted(statement: AnyStatement): boolean {
  try {
    assertTenantTied(statement, tenantTables)
    return true
  } catch {
    return false
  }
}

/** The tenant tables of a statement. */
function touched(text: string): string[] {
  return allCaptured(/\b(?:from|join|update|into|using) ([a-z_]+)/g, text).filter(name =>
    tenantTables.has(name),
  )
}

/** The statement with the restriction of one table removed, once for each table. */
function untied(text: string): string[] {
  const aliases = new Set(allCaptured(/\b([a-z_]+)\.organization_id = \$1\b/g, text))
  const mutants = [...aliases]
    // the restriction of an upsert's own row is in addition to the insert's
    .filter(alias => !new RegExp(`insert into [a-z_]+ as ${alias} `).test(text))
    .map(alias => text.replace(new RegExp(`\\b${alias}\\.organization_id = \\$1(?!\\d)`, 'g'), 'true'))
  for (const { index } of text.matchAll(/(?<![.\w])organization_id = \$1\b/g)) {
    mutants.push(`${text.slice(0, index)}true${text.slice(index + 'organization_id = $1'.length)}`)
  }
  for (const [insert] of text.matchAll(
    /insert into [a-z_]+(?: as [a-z_]+)? ?\( ?organization_id\b[^)]*\) values ?\( ?\$1\b/g,
  )) {
    mutants.push(text.replace(insert, insert.replace(/\$1$/, '$2')))
  }
  for (const [insert] of text.matchAll(
    /insert into [a-z_]+(?: as [a-z_]+)? ?\( ?organization_id\b[^)]*\) select (?:distinct )?\$1\b/g,
  )) {
    mutants.push(text.replace(insert, insert.replace(/\$1$/, '$2')))
  }
  return mutants
}

type Plan = Record<string, unknown> & { Plans?: Plan[] }

/**
 * The number of parameters according to the database, and the scans of tenant tables without a condition on
 * `$1`.
 */
async function planned(text: string, count: number): Promise<{ parameterCount: number; loose: string[] }> {
  const client = await pool.connect()
  try {
    await client.query(`prepare looked_at as ${text}`)
    const seen = await client.query('select cardinality(parameter_types) as n from pg_prepared_statements')
    const values = Array.from({ length: count }, () => 'null').join(', ')
    const { rows } = await client.query(
      `explain (verbose, costs off, format json) execute looked_at${values && `(${values})`}`,
    )
    return {
      parameterCount: seen.rows[0].n,
      loose: scans(firstOf(rows[0]['QUERY PLAN'] as { Plan: Plan }[]).Plan),
    }
  } finally {
    await client.query('deallocate looked_at').catch(() => {})
    client.release()
  }
}

/** The JavaScript values of PostgreSQL's types: see platform/data/pool.ts and the defaults of the driver. */
const kindsOfTypes: Readonly<Record<string, ValueKind | 'any'>> = {
  bool: 'boolean',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float4: 'number',
  float8: 'number',
  json: 'any',
  jsonb: 'any',
  bytea: 'object',
  date: 'string',
  timestamp: 'object',
  interval: 'object',
}

/** The columns that the database says a statement returns, without running it. */
async function described(text: string): Promise<ReadonlyMap<string, ValueKind | 'any'>> {
  const { promise, resolve, reject } = Promise.withResolvers<pg.FieldDef[]>()
  let fields: pg.FieldDef[] = []
  const description = {
    submit(connection: pg.Connection) {
      connection.parse({ name: '', text, types: [] }, true)
      connection.describe({ type: 'S', name: '' }, true)
      connection.sync()
    },
    handleRowDescription(message: { fields: pg.FieldDef[] }) {
      fields = message.fields
    },
    handleError: reject,
    handleReadyForQuery: () => resolve(fields),
  }
  const client = await pool.connect()
  try {
    client.query(description as never)
    const columns = await promise
    const types = await client.query<{ oid: number; typname: string }>(
      'select oid::int4, typname from pg_type where oid = any($1::oid[])',
      [columns.map(({ dataTypeID }) => dataTypeID)],
    )
    const names = new Map(types.rows.map(({ oid, typname }) => [oid, typname]))
    return new Map(columns.map(({ name, dataTypeID }) => [name, kindOfType(defined(names.get(dataTypeID)))]))
  } finally {
    client.release()
  }
}

function kindOfType(name: string): ValueKind | 'any' {
  return name.startsWith('_') ? 'object' : (kindsOfTypes[name] ?? 'string')
}

function scans(plan: Plan): string[] {
  const below = (plan.Plans ?? []).flatMap(scans)
  const table = plan['Relation Name'] as string | undefined
  if (!table || !tenantTables.has(table) || plan['Node Type'] === 'ModifyTable') return below
  const conditions = ['Filter', 'Index Cond', 'Recheck Cond'].flatMap(name => conjuncts(plan[name]))
  return conditions.some(text => /^([a-z_0-9]+\.)?organization_id = \$1$/.test(text))
    ? below
    : [table, ...below]
}

/** `((a = $1) AND (b OR c))` → `a = $1` and `b OR c`. */
function conjuncts(condition: unknown): string[] {
  let text = String(condition ?? '').replace(/'(?:[^']|'')*'/g, "''")
  while (isWrapped(text)) text = text.slice(1, -1)
  let depth = 0
  const cuts = [...text.matchAll(/[()]| AND /g)].filter(([part]) => {
    if (part === '(') depth++
    else if (part === ')') depth--
    return part === ' AND ' && depth === 0
  })
  if (cuts.length === 0) return [text]
  const starts = [0, ...cuts.map(({ index }) => index + ' AND '.length)]
  return starts.flatMap((start, index) => conjuncts(text.slice(start, cuts[index]?.index)))
}

function isWrapped(text: string): boolean {
  if (!text.startsWith('(') || !text.endsWith(')')) return false
  let depth = 0
  for (let at = 0; at < text.length - 1; at++) {
    if (text[at] === '(') depth++
    if (text[at] === ')') depth--
    if (depth === 0) return false
  }
  return true
}

describe('the check finds violations', () => {
  const leaks = [
    'select r.id from role r, membership m where r.organization_id = $1 and m.custom_role_id = r.id',
    'select r.id from role r join membership m on m.custom_role_id = r.id where r.organization_id = $1',
    'select r.id from role r where r.organization_id = $1 or r.name = $2',
    'select r.id from role r where r.organization_id = $1 and exists (select 1 from membership where custom_role_id = r.id)',
    'select id from role where organization_id = $1 union all select id from role',
    'update role set name = $2 where id = $3 and $1 <> name',
    'delete from role using membership m where m.organization_id = $1',
  ]

  test.each(leaks)('the planner finds the leak in: %s', async text => {
    expect((await planned(text, countParameters({ text }))).loose.length).toBeGreaterThan(0)
  })

  test.each(leaks)('the guard also refuses: %s', text => {
    expect(() => assertTenantTied({ text }, tenantTables)).toThrow('Tenant guard')
  })

  test.each([
    'insert into unit_member (organization_id, unit_id) select $1, t from unnest($2::text[]) t on conflict do nothing',
    'with k as (select 1 as n) insert into unit as u (organization_id, n) select $1, k.n from k on conflict (organization_id) do update set n = 1',
    'insert into unit (organization_id, n) select $1, (select 1 as returning) on conflict do nothing',
  ])('the number of rows counts conflicts on Citus: %s', text => {
    expect(countsConflicts(text)).toBe(true)
  })

  test.each([
    'insert into role as u (organization_id, n) select $1, k.n from k on conflict (organization_id) do update set n = coalesce($2, u.n) returning n',
    'with u as (insert into role (organization_id) select $1 on conflict (organization_id) do update set n = $2) select n from u',
  ])('Citus loses a parameter of: %s', text => {
    expect(losesParameters(text)).toBe(true)
  })

  test.each([
    'insert into role as u (organization_id, n) values ($1, $2) on conflict (organization_id) do update set n = $2',
    'insert into role as u (organization_id) select $1 on conflict (organization_id) do update set n = u.n returning $2::text',
    'with u as (insert into role (organization_id) select $1 on conflict do nothing) select n from u where n = $2',
  ])('Citus keeps the parameters of: %s', text => {
    expect(losesParameters(text)).toBe(false)
  })

  test.each([
    'insert into unit_member (organization_id, unit_id) values ($1, $2) on conflict do nothing',
    'insert into unit_member (organization_id, unit_id) select $1, t from unnest($2::text[]) t on conflict do nothing returning unit_id',
    'insert into unit_member (organization_id, unit_id) select $1, t from unnest($2::text[]) t',
  ])('the number of rows is right everywhere: %s', text => {
    expect(countsConflicts(text)).toBe(false)
  })

  test('a statement that is not tied does not reach the database', async () => {
    const settings = { connectTimeoutMs: 2_000, statementTimeoutMs: 4_000, lockTimeoutMs: 3_000 }
    const opened = await openDatabase({
      ...settings,
      url: database.url,
      poolSize: 1,
      idleInTransactionTimeoutMs: 5_000,
      applicationName: 'laws',
    })
    await expect(
      opened.of('o').rows(sql<object, { id: string }>('select id from role where id = $id'), { id: 'r' }),
    ).rejects.toThrow('Tenant guard')
    await expect(
      opened.crossTenant.rows(
        sql<object>('select id from role where organization_id = $organization') as never,
      ),
    ).rejects.toThrow()
    await opened.close()
  })
})
