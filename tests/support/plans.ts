import pg from 'pg'
import { type Database, openDatabase } from '#platform/data/database.ts'
import type { CrossTenantTx, Tx } from '#platform/data/db.ts'
import type { AnyStatement } from '#platform/data/statement.ts'
import { defined, firstOf } from './elements.ts'

/** A node of a plan, as `explain (analyze, buffers, format json)` shows it. */
type PlanNode = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Alias?: string
  'Actual Rows': number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: PlanNode[]
}

/** The execution of one statement. */
export type Explained = {
  text: string
  /** The blocks that it read, in the cache or not: the most of all plan modes. */
  blocks: number
  /** The rows that it returned. */
  rows: number
  /** The most rows that one sort took. */
  sorted: number
  /** The tables that it read without an index. */
  scanned: Set<string>
  indexes: Set<string>
  /** All nodes of its plans. */
  nodes: PlanNode[]
}

/** `unforced`: the mode that the function sets, or the usual one. */
type PlanMode = 'force_generic_plan' | 'force_custom_plan' | 'unforced'

/**
 * Explains the statements that a function sends. They run in a transaction that is rolled back. Each is prepared once, so
 * a generic plan stays until the next ANALYZE, as on the connections of the product.
 */
export type Plans = {
  /** The executed statements, in order. */
  explain(organizationId: string, work: (tx: Tx) => Promise<unknown>): Promise<Explained[]>
  /** The same for statements that are not about one organization. */
  explainCrossTenant(work: (tx: CrossTenantTx) => Promise<unknown>): Promise<Explained[]>
  /** The blocks that all statements of a function read together. */
  blocksOf(organizationId: string, work: (tx: Tx) => Promise<unknown>): Promise<number>
  close(): Promise<void>
}

/** Opens a separate connection for plans. */
export async function openPlans(url: string, modes?: readonly PlanMode[]): Promise<Plans> {
  const minute = 60_000
  return plansOf(
    await openDatabase({
      url,
      poolSize: 1,
      connectTimeoutMs: minute,
      statementTimeoutMs: 10 * minute,
      lockTimeoutMs: minute,
      idleInTransactionTimeoutMs: minute,
      applicationName: 'plans',
    }),
    modes,
  )
}

/** The plans of a database with settings of its own, which serves nothing else from now on. `close` closes it. */
export function plansOf(database: Database, modes: readonly PlanMode[] = ['force_generic_plan']): Plans {
  const watched = new WeakSet<pg.PoolClient>()
  let sent: Promise<Explained>[] = []
  database.pool.on('acquire', client => {
    if (watched.has(client)) return
    watched.add(client)
    watch(client, modes, explained => sent.push(explained))
  })

  async function explainCrossTenant(work: (tx: CrossTenantTx) => Promise<unknown>): Promise<Explained[]> {
    sent = []
    const rollback = new Error('The statements are only explained')
    const ended = database.transactCrossTenant(async tx => {
      await work(tx)
      throw rollback
    })
    const error = await ended.catch((thrown: unknown) => thrown)
    // a statement that cannot be explained makes the transaction fail
    const all = await Promise.all(sent)
    if (error !== rollback) throw error
    if (all.length === 0) throw new Error('The function sent no statement')
    return all
  }
  const explain: Plans['explain'] = (organizationId, work) =>
    explainCrossTenant(tx => work(tx.of(organizationId)))
  return {
    explain,
    explainCrossTenant,
    async blocksOf(organizationId, work) {
      const all = await explain(organizationId, work)
      return all.reduce((sum, { blocks }) => sum + blocks, 0)
    },
    close: () => database.close(),
  }
}

type Prepared = Pick<AnyStatement, 'name' | 'text'> & { values: readonly unknown[] }

/** Explains each prepared statement just before the client runs it, and undoes what the explained execution wrote. */
function watch(
  client: pg.PoolClient,
  modes: readonly PlanMode[],
  report: (explained: Promise<Explained>) => void,
): void {
  const run = client.query.bind(client) as (query: unknown, ...rest: unknown[]) => Promise<pg.QueryResult>
  const known = new Set<string>()
  const explain = async ({ name, text, values }: Prepared): Promise<Explained> => {
    const look = `${name}_look`
    // all are sent before the first await, so that the statements of the product stay in their order
    const answers: Promise<pg.QueryResult>[] = []
    if (!known.has(name)) answers.push(run(`prepare ${look} as ${text}`))
    known.add(name)
    answers.push(run('savepoint explained'))
    const args = values.length > 0 ? `(${values.map(literal).join(', ')})` : ''
    const plans = modes.map(mode => {
      if (mode !== 'unforced') answers.push(run(`set local plan_cache_mode = ${mode}`))
      const plan = run(`explain (analyze, buffers, timing off, format json) execute ${look}${args}`)
      answers.push(plan, run('rollback to savepoint explained'))
      return plan
    })
    answers.push(run('release savepoint explained'))
    await Promise.all(answers)
    const tops = await Promise.all(plans)
    return summary(
      text,
      tops.map(({ rows: [row] }) => row['QUERY PLAN'][0].Plan as PlanNode),
    )
  }
  client.query = ((query: unknown, ...rest: unknown[]) => {
    if (isPrepared(query)) {
      const explained = explain(query)
      explained.catch(() => {})
      report(explained)
    }
    return run(query, ...rest)
  }) as typeof client.query
}

function isPrepared(query: unknown): query is Prepared {
  return typeof query === 'object' && query !== null && 'name' in query && 'values' in query
}

/** A value as in a parameter: a literal without a type. */
function literal(value: unknown): string {
  if (value === null) return 'null'
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'`
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map(element).join()}}`)
  return pg.escapeLiteral(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

function element(value: unknown): string {
  return value === null ? 'null' : `"${String(value).replace(/["\\]/g, '\\$&')}"`
}

function summary(text: string, tops: readonly PlanNode[]): Explained {
  const nodes = tops.flatMap(flat)
  const sorts = nodes.filter(node => node['Node Type'] === 'Sort')
  const scans = nodes.filter(node => node['Node Type'] === 'Seq Scan')
  const namesIn = (some: PlanNode[], name: 'Relation Name' | 'Index Name') =>
    new Set(some.flatMap(({ [name]: found }) => found ?? []))
  return {
    text,
    blocks: Math.max(...tops.map(top => top['Shared Hit Blocks'] + top['Shared Read Blocks'])),
    rows: firstOf(tops)['Actual Rows'],
    sorted: Math.max(0, ...sorts.map(({ Plans }) => firstOf(defined(Plans))['Actual Rows'])),
    scanned: namesIn(scans, 'Relation Name'),
    indexes: namesIn(nodes, 'Index Name'),
    nodes,
  }
}

function flat(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flat)]
}
