import type pg from 'pg'
import { violated } from '#platform/data/errors.ts'
import type { AnyStatement } from '#platform/data/statement.ts'
import { firstOf, itemAt } from '#tests/support/elements.ts'

/** How Citus would execute a statement. */
export type CitusPlan = {
  /** The queries that it sends to shards, together. */
  tasks: number
  /** Whether results of a query are brought to the coordinator and sent to the next one. */
  hasSubplans: boolean
  /** Whether the rows of an `insert … select` come to the coordinator first: it may then answer a wrong number of rows. */
  isPulled: boolean
  /** The class of the error that says why it cannot be planned. Undefined: it can. */
  error: string | undefined
}

type Node = { [key: string]: unknown }

/** A value of each type, so that the planner neither folds a condition nor prunes a shard because of a null. */
const samples: Readonly<Record<string, string>> = {
  bigint: '1',
  integer: '1',
  smallint: '1',
  xid8: '1',
  'double precision': '1',
  boolean: 'true',
  inet: '127.0.0.1',
  'timestamp with time zone': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  interval: '1 second',
  bytea: '\\x00',
  jsonb: '[]',
  json: '[]',
  'text[]': '{x}',
  'bigint[]': '{1}',
  'integer[]': '{1}',
  'smallint[]': '{1}',
  'double precision[]': '{1}',
  'timestamp with time zone[]': '{2026-01-01T00:00:00Z}',
  'json[]': '{[]}',
}

/** Values of texts, tried one after another: a statement may read its texts as hexadecimal digits, a boolean or a table. */
const sampleTexts = ['00', 'true', 'webhook_delivery']
const unreadableText = new Set(['22P02', '22023', '42P01'])
/** A value that its type or a constraint refuses. */
const refusedValue = /^2[23]/

type PlanError = Error & { code?: string; detail?: string }

const errorClasses: readonly (readonly [RegExp, string])[] = [
  [/IMMUTABLE|VOLATILE|STABLE functions/i, 'the clock or another function that is not immutable'],
  [/FOR UPDATE\/SHARE/, 'locks rows of several shards'],
  [/^recursive CTEs/, 'recursive over several shards'],
  [
    /row type for result of|column definition list/,
    'a function that returns records without a list of columns',
  ],
  [/modify a reference table/, 'reads a distributed table and changes a reference table'],
  [/joins|correlated|lateral|subqueries|Limit clause/i, 'a join or subquery over several shards'],
]

/** Prepares a statement and plans it with values of its parameters, as its connection does on Citus. */
export async function citusPlan(client: pg.Client, declared: AnyStatement): Promise<CitusPlan> {
  const statement = { ...declared, text: declared.textOnCitus ?? declared.text }
  const errors: PlanError[] = []
  try {
    await client.query(`prepare planned as ${statement.text}`)
    const { rows } = await client.query<{ types: string[] }>(
      `select parameter_types::text[] as types from pg_prepared_statements where name = 'planned'`,
    )
    const { types } = firstOf(rows)
    for (const text of types.includes('text') ? sampleTexts : sampleTexts.slice(0, 1)) {
      const values = types.map(type => `'${sampleOf(type, text)}'::${type}`)
      try {
        const root = await explained(client, statement, values)
        return planIn(root)
      } catch (error) {
        errors.push(error as PlanError)
        if (!unreadableText.has((error as PlanError).code ?? '')) break
      }
    }
    const error = itemAt(errors, errors.length - 1)
    return failed(error.code === '25P02' ? await executionError(client, statement, types) : error)
  } catch (error) {
    return failed(error as PlanError)
  } finally {
    await client.query('deallocate all')
  }
}

/**
 * Runs a statement with parameters, as the product does, and undoes it. Returns the class of the error by which PostgreSQL or Citus
 * refuses the statement; values that a constraint or a type refuses are no such error.
 */
export async function refusedRun(client: pg.Client, declared: AnyStatement): Promise<string | undefined> {
  const text = declared.textOnCitus ?? declared.text
  await client.query(`prepare planned as ${text}`)
  const { rows } = await client.query<{ types: string[] }>(
    `select parameter_types::text[] as types from pg_prepared_statements where name = 'planned'`,
  )
  await client.query('deallocate planned')
  const { types } = firstOf(rows)
  for (const sample of sampleTexts) {
    const values = types.map(type => sampleOf(type, sample))
    const error = await errorOfRun(client, text, values)
    if (error === undefined || refusedValue.test(error.code ?? '') || violated(error) !== undefined)
      return undefined
    if (!unreadableText.has(error.code ?? '')) return errorClass(error)
  }
  return undefined
}

/** Runs a statement and undoes it. */
async function errorOfRun(
  client: pg.Client,
  text: string,
  values: readonly string[],
): Promise<PlanError | undefined> {
  await client.query('begin')
  try {
    await client.query(text, [...values])
    return undefined
  } catch (error) {
    return error as PlanError
  } finally {
    await client.query('rollback')
  }
}

/**
 * The plan of a prepared statement. Citus does not explain an `insert … select` with parameters, although it runs it, so values are in the
 * text, which is what the planner sees.
 */
async function explained(
  client: pg.Client,
  { text }: AnyStatement,
  values: readonly string[],
): Promise<Node> {
  const { rows } = await client.query(`explain (costs off, format json) ${withValues(text, values)}`)
  return firstOf(rows[0]['QUERY PLAN'] as { Plan: Node }[]).Plan
}

/** The error of a node ends the transaction in which another node explains, so only running the statement shows it. */
async function executionError(
  client: pg.Client,
  { text }: AnyStatement,
  types: readonly string[],
): Promise<PlanError> {
  await client.query('begin')
  try {
    await client.query(
      withValues(
        text,
        types.map(type => `'${sampleOf(type, '00')}'::${type}`),
      ),
    )
    return new Error('is planned, but not explained')
  } catch (error) {
    return error as PlanError
  } finally {
    await client.query('rollback')
  }
}

/** The statement with values instead of its parameters, outside of quoted texts. */
function withValues(text: string, values: readonly string[]): string {
  return text.replace(/'(?:[^']|'')*'|\$(\d+)/g, (part, number?: string) =>
    number === undefined ? part : `(${itemAt(values, Number(number) - 1)})`,
  )
}

function sampleOf(type: string, text: string): string {
  const sample = type === 'text' ? text : samples[type]
  if (sample === undefined) throw new Error(`no sample of the type ${type}`)
  return sample
}

/** A task of a shard and what is below it is the plan of a node, which knows nothing of shards. */
function below(node: Node): Node[] {
  return Object.entries(node)
    .filter(([key]) => key !== 'Tasks')
    .flatMap(([, value]) => (Array.isArray(value) ? value.flat(9) : [value]))
    .filter((value): value is Node => typeof value === 'object' && value !== null)
}

function countTasks(node: Node): number {
  const own = typeof node['Task Count'] === 'number' ? node['Task Count'] : 0
  return below(node).reduce((sum, child) => sum + countTasks(child), own)
}

function planIn(root: Node): CitusPlan {
  const nodes = everyNode(root)
  return {
    tasks: countTasks(root),
    hasSubplans: nodes.some(node => 'Subplans' in node),
    isPulled: nodes.some(node => node['INSERT/SELECT method'] !== undefined),
    error: undefined,
  }
}

function failed(error: PlanError): CitusPlan {
  return { tasks: 0, hasSubplans: false, isPulled: false, error: errorClass(error) }
}

function everyNode(node: Node): Node[] {
  return [node, ...below(node).flatMap(everyNode)]
}

/** The class of an error of Citus, or its message. */
function errorClass({ message, detail }: PlanError): string {
  const whole = detail ? `${message} (${detail})` : message
  const [, known] = errorClasses.find(([pattern]) => pattern.test(whole)) ?? []
  return known ?? whole
}
