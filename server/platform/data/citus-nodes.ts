import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { postgresHash } from './postgres-hash.ts'

/** A range of hashes of organizations, and the node that has the shard with their rows. */
export type ShardRange = {
  lowest: number
  highest: number
  host: string
  port: number
  /** Whether it is the node of the URL. */
  isEntry: boolean
}

type Node = {
  readonly pool: pg.Pool
  /** Whether it answered when it was last tried; undefined before. Statements for one that did not go through the entry node. */
  isReachable?: boolean
}

export type CitusNodesOptions = {
  /** The pool of the node that the URL of the database names. */
  entry: pg.Pool
  /** Opens a pool of another node. It connects when it is used. */
  openPoolOf(host: string, port: number): pg.Pool
  onUnreachable(node: string, error: Error): void
}

/** How often the places of the shards are read. A request for a shard that has moved reaches it through its former node until then. */
const readMs = 60_000
/** The pause before a node is tried again that refused a connection or closed one. */
const retryMs = 2_000

/**
 * The nodes of a Citus cluster by the organizations whose rows they have. A statement that is sent to the node of its organization is
 * planned and run there; any other node plans it first, and then has the node of the shard plan it again. Every node can run every
 * statement, so this decides nothing but how long it takes: what is not known, or not reachable, goes through the entry node.
 */
export class CitusNodes {
  readonly #options: CitusNodesOptions
  readonly #nodes = new Map<string, Node>()
  readonly #closing = new AbortController()
  #ranges: readonly ShardRange[] = []
  #watching: Promise<void> | undefined
  #wake = new AbortController()

  constructor(options: CitusNodesOptions) {
    this.#options = options
  }

  /** Begins to read the places of the shards and to try the nodes; until then the entry node serves all organizations. */
  start(): void {
    this.#watching = this.#watch()
  }

  /** The pool of the node that has the rows of the organization, or of the entry node. */
  poolOf(organizationId: string): pg.Pool {
    const range = rangeOf(this.#ranges, organizationId)
    const node = range && !range.isEntry ? this.#nodes.get(nameOf(range)) : undefined
    return node?.isReachable ? node.pool : this.#options.entry
  }

  /** The pools of other nodes. */
  get pools(): pg.Pool[] {
    return [...this.#nodes.values()].map(({ pool }) => pool)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#wake.abort()
    await this.#watching
    await Promise.all(this.pools.map(pool => pool.end()))
  }

  async #watch(): Promise<void> {
    const closing = this.#closing.signal
    while (!closing.aborted) {
      // a cluster that does not answer is tried again; meanwhile the requests themselves report it
      const ranges = await readShardRanges(this.#options.entry).catch(() => undefined)
      if (ranges) this.#ranges = ranges
      await this.#tryNodes()
      if (closing.aborted) return
      const areAllReachable = [...this.#nodes.values()].every(({ isReachable }) => isReachable)
      this.#wake = new AbortController()
      await pause(ranges && areAllReachable ? readMs : retryMs, this.#wake.signal)
      // many connections can be lost at once
      if (this.#wake.signal.aborted) await pause(retryMs, closing)
    }
  }

  /** Tries the nodes that have shards. */
  async #tryNodes(): Promise<void> {
    const others = new Map(
      this.#ranges.filter(({ isEntry }) => !isEntry).map(range => [nameOf(range), range]),
    )
    await Promise.all(
      [...others].map(async ([name, { host, port }]) => {
        const node = this.#nodes.get(name) ?? this.#add(name, host, port)
        try {
          await node.pool.query('select 1')
          node.isReachable = true
        } catch (error) {
          if (node.isReachable !== false) this.#options.onUnreachable(name, error as Error)
          node.isReachable = false
        }
      }),
    )
  }

  #add(name: string, host: string, port: number): Node {
    const pool = this.#options.openPoolOf(host, port)
    // a lost connection may be the first sign of a lost node
    pool.on('remove', () => this.#wake.abort())
    const node: Node = { pool }
    this.#nodes.set(name, node)
    return node
  }
}

/** The range that contains the hash of the organization; undefined if there is none. */
export function rangeOf(ranges: readonly ShardRange[], organizationId: string): ShardRange | undefined {
  const hash = postgresHash(organizationId)
  return ranges.find(({ lowest, highest }) => lowest <= hash && hash <= highest)
}

const sample = 'a sample of a text'

/** All ranges. None if the server computes other hashes than this process. */
async function readShardRanges(pool: pg.Pool): Promise<ShardRange[]> {
  const { rows } = await pool.query<ShardRange & { sampleHash: number }>(
    `select s.shardminvalue::integer as lowest, s.shardmaxvalue::integer as highest, n.nodename as host, n.nodeport as port,
       n.groupid = (select groupid from pg_dist_local_group) as "isEntry", hashtext($1) as "sampleHash"
     from pg_dist_shard s join pg_dist_placement p using (shardid) join pg_dist_node n using (groupid)
     where s.logicalrelid = 'membership'::regclass and n.noderole = 'primary' and n.isactive`,
    [sample],
  )
  return rows.every(({ sampleHash }) => sampleHash === postgresHash(sample)) ? rows : []
}

function nameOf({ host, port }: ShardRange): string {
  return `${host}:${port}`
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal }).catch(() => {})
}
