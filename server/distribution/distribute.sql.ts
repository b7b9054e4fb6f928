import type pg from 'pg'
import { withClient, withSchemaLock } from '../platform/data/migrate.ts'
import { type Placement, placementOf, triggersOfOneServer } from './placement.ts'

/** The database cannot be distributed as it is. The message says what to do. */
export class DistributionError extends Error {
  /** The message is meant for the person at the terminal and is printed without a stack. */
  readonly isForPeople = true
}

export type DistributionOptions = {
  /** The number of parts of each distributed table, for a database that has none yet. Undefined: `citus.shard_count`. */
  readonly shardCount?: number | undefined
  /** Is told what was done. */
  readonly print: (line: string) => void
}

/** How many tables have each placement. */
export type Distribution = Readonly<Record<Placement['kind'], number>>

type Kind = Placement['kind']
type Table = { name: string; placement: Placement; placed: Kind | null }

const guide = 'docs/guides/citus.md'

/**
 * Distributes the tables of a migrated database on Citus: by organization, or to every node, or to the coordinator, as
 * placement.ts says. Foreign keys cannot stay meanwhile: their definitions are stored in the transaction that drops them, and
 * each is deleted in the transaction that adds it again. Everything else that is left to do can be seen in the database, so a run
 * that was killed is continued by the next one, and a run without anything to do changes nothing. New tables of a later
 * migration are distributed in the same way, beside running servers. Two runs, or a migration, wait for each other.
 *
 * Throws DistributionError if the database has no Citus or no worker nodes, if servers use it before its first distribution, and if
 * a table has no placement, another one already, or a key without its organization.
 */
export async function distribute(
  databaseUrl: string,
  { shardCount, print }: DistributionOptions,
): Promise<Distribution> {
  return withSchemaLock(databaseUrl, async client => {
    await assertCitus(client)
    await client.query(settings)
    const tables = await readTables(client)
    await assertShardCount(client, tables, shardCount)
    const pending = tables.filter(({ placed }) => placed === null)
    if (pending.length > 0) {
      if (pending.length === tables.length) await assertUnused(client)
      await dropTriggers(client, pending)
      await replaceKeys(client, pending)
      await setForeignKeysAside(client, pending)
      await place(client, tables, shardCount, print)
    }
    await removeLocalCopies(client, print)
    await giveGreatestTransaction(client, print)
    await restoreForeignKeys(client, print)
    await setModes(client)
    return countPlacements(tables)
  })
}

/** True if tables of the database are distributed. */
export async function isDistributed(databaseUrl: string): Promise<boolean> {
  return withClient(databaseUrl, async client => {
    const { rows } = await client.query<{ hasCitus: boolean }>(
      `select to_regclass('pg_catalog.pg_dist_partition') is not null as "hasCitus"`,
    )
    if (!rows[0]?.hasCitus) return false
    const found = await client.query(`select from pg_dist_partition where partmethod = 'h' limit 1`)
    return found.rowCount === 1
  })
}

// triggers that refuse a change of their own row need nothing of other tables; local tables may refer to reference tables
const settings = `set citus.enable_unsafe_triggers to on; set citus.enable_local_reference_table_foreign_keys to on;
  set citus.multi_shard_modify_mode to sequential; set client_min_messages to warning`

async function assertCitus(client: pg.Client): Promise<void> {
  const extension = await client.query(`select from pg_extension where extname = 'citus'`)
  if (extension.rowCount === 0) {
    throw new DistributionError(
      `This database has no Citus. Install Citus on every node, add it to shared_preload_libraries, and run "create extension citus" in this database on each node: ${guide}`,
    )
  }
  const { rows } = await client.query<{
    isCoordinator: boolean
    hasCoordinator: boolean
    workers: number
    unsynced: string | null
  }>(
    `select citus_is_coordinator() as "isCoordinator", coalesce(bool_or(groupid = 0), false) as "hasCoordinator",
       (count(*) filter (where groupid <> 0 and isactive and shouldhaveshards))::int as workers,
       string_agg(nodename || ':' || nodeport, ', ') filter (where isactive and not (hasmetadata and metadatasynced)) as unsynced
     from pg_dist_node`,
  )
  const [nodes] = rows
  if (!nodes?.isCoordinator)
    throw new DistributionError(
      'DATABASE_URL leads to a worker node. Only the coordinator distributes tables.',
    )
  if (!nodes.hasCoordinator || nodes.workers === 0) {
    throw new DistributionError(
      `Citus knows no worker node, or not its coordinator. Run citus_set_coordinator_host and citus_add_node: ${guide}`,
    )
  }
  if (nodes.unsynced) {
    throw new DistributionError(
      `These nodes lack the metadata that lets them accept connections: ${nodes.unsynced}. Run as a superuser: select start_metadata_sync_to_all_nodes()`,
    )
  }
}

/** The tables of the product, without partitions, in the order of their creation. */
async function readTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; placed: Kind | null }>(
    `select c.relname as name,
       array(select attname::text from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped) as columns,
       case when p.partmethod = 'h' then 'distributed' when p.repmodel = 't' then 'reference'
         when not p.autoconverted then 'local' end as placed
     from pg_class c left join pg_dist_partition p on p.logicalrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname <> '${keysSetAside}'
       and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
     order by c.oid`,
  )
  return rows.map(({ name, columns, placed }) => {
    const placement = placementOf(name, columns)
    if (!placement)
      throw new DistributionError(`The table ${name} has no placement in server/distribution/placement.ts.`)
    if (placed !== null && placed !== placement.kind) {
      throw new DistributionError(
        `The table ${name} is ${placed} and must be ${placement.kind}. Run as its owner: select undistribute_table('${name}', cascade_via_foreign_keys => true)`,
      )
    }
    return { name, placement, placed }
  })
}

async function assertShardCount(
  client: pg.Client,
  tables: readonly Table[],
  shardCount: number | undefined,
): Promise<void> {
  const first = tables.find(({ placed }) => placed === 'distributed')
  if (!first || shardCount === undefined) return
  const { rows } = await client.query<{ shards: number }>(
    'select count(*)::int as shards from pg_dist_shard where logicalrelid = $1::regclass',
    [first.name],
  )
  if (rows[0]?.shards !== shardCount) {
    throw new DistributionError(
      `The tables have ${rows[0]?.shards} shards already. To change that, use alter_distributed_table of Citus: ${guide}`,
    )
  }
}

/** While it copies the rows of a table, nobody can change them, and the foreign keys are away. */
async function assertUnused(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ names: string | null }>(
    `select string_agg(distinct application_name, ', ') as names from pg_stat_activity
     where datname = current_database() and application_name in ('patio api', 'patio worker')`,
  )
  if (rows[0]?.names) {
    throw new DistributionError(`Stop the processes that use this database first: ${rows[0].names}.`)
  }
}

async function dropTriggers(client: pg.Client, tables: readonly Table[]): Promise<void> {
  const { rows } = await client.query<{ name: string; table: string }>(
    `select tgname as name, tgrelid::regclass::text as table from pg_trigger
     where tgname = any($1) and tgrelid = any($2::regclass[])`,
    [Object.keys(triggersOfOneServer), tables.map(({ name }) => name)],
  )
  for (const { name, table } of rows) await client.query(`drop trigger ${name} on ${table}`)
}

/**
 * Drops the keys of `tables` that lack the distribution column and have a successor with it (decision 0050). Nodes copy a table by its
 * successor from then on.
 */
async function replaceKeys(client: pg.Client, tables: readonly Table[]): Promise<void> {
  for (const { name, placement } of tables) {
    if (placement.kind !== 'distributed') continue
    for (const { key, isPrimary, successor } of await keysWithout(client, name, placement.by)) {
      if (successor === null) {
        throw new DistributionError(
          `The key ${key} of ${name} lacks ${placement.by}, and no other key replaces it.`,
        )
      }
      await client.query(
        isPrimary
          ? `alter table ${name} drop constraint ${key}, replica identity using index ${successor}`
          : `drop index ${key}`,
      )
    }
  }
}

type ReplacedKey = { key: string; isPrimary: boolean; successor: string | null }

/** The unique keys of a table without a column, each with a key that has the same columns and that one. */
async function keysWithout(client: pg.Client, table: string, column: string): Promise<ReplacedKey[]> {
  const { rows } = await client.query<ReplacedKey>(keysWithoutSql, [table, column])
  return rows
}

const keysWithoutSql = `
  with key as (
    select i.indexrelid, i.indisprimary, i.indrelid, i.indkey::int2[] as columns, a.attnum as needed
    from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attname = $2
    where i.indrelid = $1::regclass and i.indisunique)
  select k.indexrelid::regclass::text as key, k.indisprimary as "isPrimary",
    (select min(s.indexrelid::regclass::text) from key s
     where s.columns @> k.columns and s.needed = any(s.columns)) as successor
  from key k where not k.needed = any(k.columns)`

/** Stores the definitions of the foreign keys that begin or end at a table, while they are away. */
const keysSetAside = 'foreign_key_set_aside'

/** Drops the foreign keys from and to some tables, and stores their definitions in the same transaction. */
async function setForeignKeysAside(client: pg.Client, tables: readonly Table[]): Promise<void> {
  await inTransaction(client, async () => {
    await client.query(
      `create table if not exists ${keysSetAside} (table_name text, name text, definition text, primary key (table_name, name))`,
    )
    const { rows } = await client.query<{ table: string; name: string }>(
      `insert into ${keysSetAside}
       select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint
       where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace
         and (conrelid = any($1::regclass[]) or confrelid = any($1::regclass[]))
       returning table_name as table, name`,
      [tables.map(({ name }) => name)],
    )
    for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`)
  })
}

/** Gives each table without a placement its own. */
async function place(
  client: pg.Client,
  tables: readonly Table[],
  shardCount: number | undefined,
  print: (line: string) => void,
): Promise<void> {
  const distributed = tables.filter(({ placement }) => placement.kind === 'distributed')
  // all shards of one organization are on one node
  let beside = distributed.find(({ placed }) => placed !== null)?.name
  for (const { name, placement, placed } of tables) {
    if (placed !== null) continue
    if (placement.kind === 'reference') await client.query('select create_reference_table($1)', [name])
    else if (placement.kind === 'local')
      await client.query('select citus_add_local_table_to_metadata($1)', [name])
    else if (beside === undefined) {
      await client.query(
        `select create_distributed_table($1, $2, colocate_with => 'none',
           shard_count => coalesce($3::int, current_setting('citus.shard_count')::int))`,
        [name, placement.by, shardCount],
      )
      beside = name
    } else {
      await client.query('select create_distributed_table($1, $2, colocate_with => $3)', [
        name,
        placement.by,
        beside,
      ])
    }
    print(`${name}: ${placement.kind}`)
  }
}

/** Removes the rows that distributing a table left in its former place, where nobody sees them. */
async function removeLocalCopies(client: pg.Client, print: (line: string) => void): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
     where (p.partmethod = 'h' or p.repmodel = 't') and c.relkind = 'r' and pg_relation_size(c.oid) > 0`,
  )
  for (const { name } of rows) {
    await client.query('select truncate_local_data_after_distributing_table($1)', [name])
    print(`${name}: removed the rows in the former place`)
  }
}

const greatestTransaction = '18446744073709551615'

/**
 * Gives every access change the greatest number of a transaction instead of its own, because those of different nodes cannot be compared: a
 * process then reads all changes of the last 30 seconds at each poll (decision 0051).
 */
async function giveGreatestTransaction(client: pg.Client, print: (line: string) => void): Promise<void> {
  const { rowCount } = await client.query(
    `select from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
     where d.adrelid = 'access_change'::regclass and a.attname = 'tx' and pg_get_expr(d.adbin, d.adrelid) like $1`,
    [`%${greatestTransaction}%`],
  )
  if (rowCount === 1) return
  await inTransaction(client, async () => {
    await client.query(`alter table access_change alter column tx set default '${greatestTransaction}'`)
    await client.query(`update access_change set tx = '${greatestTransaction}'`)
  })
  print('access_change: read by time alone')
}

/** Adds the foreign keys again that were set aside, and then drops the table that stores them. */
async function restoreForeignKeys(client: pg.Client, print: (line: string) => void): Promise<void> {
  const { rows: stored } = await client.query(
    `select to_regclass('${keysSetAside}') is not null as "isThere"`,
  )
  if (!stored[0].isThere) return
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `select table_name as table, name, definition from ${keysSetAside} order by 1, 2`,
  )
  for (const { table, name, definition } of rows) {
    await inTransaction(client, async () => {
      await client.query(`alter table ${table} add constraint ${name} ${definition}`)
      await client.query(`delete from ${keysSetAside} where table_name = $1 and name = $2`, [table, name])
    })
  }
  await client.query(`drop table ${keysSetAside}`)
  print(`${rows.length} foreign keys added again`)
}

/**
 * A change of a reference table after one of several shards is refused in the same transaction, unless shards are changed one after
 * another. For new connections to any node.
 */
async function setModes(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ database: string }>(
    'select quote_ident(current_database()) as database',
  )
  const command = `alter database ${rows[0]?.database} set citus.multi_shard_modify_mode to sequential`
  const { rows: results } = await client.query<{ nodeid: number; success: boolean; result: string }>(
    'select nodeid, success, result from run_command_on_all_nodes($1)',
    [command],
  )
  const failed = results.find(({ success }) => !success)
  if (failed) throw new DistributionError(`The node ${failed.nodeid} refuses "${command}": ${failed.result}`)
}

function countPlacements(tables: readonly Table[]): Distribution {
  const count = (kind: Kind) => tables.filter(({ placement }) => placement.kind === kind).length
  return { distributed: count('distributed'), reference: count('reference'), local: count('local') }
}

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}
