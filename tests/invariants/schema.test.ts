import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  placementOf,
  tablesWithoutOrganization,
  triggersOfOneServer,
} from '#server/distribution/placement.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/postgres.ts'

/** Times that are not moments in milliseconds, unlike on the wire. */
const otherTimes: Record<string, string> = {
  'outbox.created_at': 'orders rows within one millisecond; never on the wire',
  'crm_opportunity.expected_on': 'a day of the calendar, which has no zone',
  'budget.issue_date': 'a day of the calendar, as it stands on paper',
  'budget.valid_until': 'a day of the calendar, as it stands on paper',
  'invoice_counter.last_date': 'a day of the calendar, as it stands on paper',
  'invoice.issue_date': 'a day of the calendar, as it stands on paper',
  'invoice.due_date': 'a day of the calendar, as it stands on paper',
  'tax_record.issue_date': 'a day of the calendar, as it stands on paper',
  'tax_record.previous_issue_date': 'a day of the calendar, as it stands on paper',
  'tax_record_chain.last_issue_date': 'a day of the calendar, as it stands on paper',
  'direct_debit_mandate.signed_on': 'a day of the calendar, as it stands on paper',
  'direct_debit_mandate.last_collected_on': 'a day of the calendar, as banks count',
  'direct_debit_remittance.collection_date': 'a day of the calendar, as banks count',
  'gateway_account.reconciled_on': 'a day of the calendar, in UTC',
  'gateway_difference.day': 'a day of the calendar, in UTC',
  'error_group.last_minute': 'a minute in UTC, which an index can be in the order of; never on the wire',
}
/** Triggers that only prevent mistakes; nothing depends on them. */
const nets: Record<string, string> = {
  refuse_unstamped_lead: 'refuses what would be written past the clock of leads',
  budget_document_is_immutable: 'refuses a change of what was signed',
  budget_signature_is_immutable: 'refuses a change of a signature',
  signature_time_stamp_is_immutable: 'refuses a change of a time stamp',
  consent_text_is_immutable: 'refuses a change of what was agreed to',
  ledger_entry_is_immutable: 'refuses a change of the books',
}
/** Numbers that are only used for sorting, so rounding does no harm. */
const roughNumbers = [
  'market_listing.rating_rank',
  'market_listing.popularity',
  'market_rating_average.average',
]

type Column = {
  table: string
  column: string
  type: string
  nullable: boolean
  identity: string
  fallback: string | null
}
type Key = {
  table: string
  name: string
  kind: string
  columns: string[]
  to: string | null
  toColumns: string[] | null
}

/** `by`: the columns by which tables are divided among the nodes of a distributed database. */
type Look = {
  columns: Column[]
  keys: Key[]
  depends: string[]
  tenantTables: Set<string>
  by: Map<string, string>
}

let database: FreshDatabase
let pool: pg.Pool
beforeAll(async () => {
  database = await freshDatabase()
  pool = new pg.Pool({ connectionString: database.url, max: 1 })
  // dropping the database ends a connection that is still closing
  pool.on('error', () => {})
})
afterAll(async () => {
  await pool?.end()
  await database?.drop()
})

async function look(): Promise<Look> {
  const columns = await readColumns()
  const tenantTables = new Set(
    columns.filter(({ column }) => column === 'organization_id').map(({ table }) => table),
  )
  const by = new Map(
    [...Map.groupBy(columns, ({ table }) => table)].flatMap(([table, ofTable]) => {
      const placement = placementOf(
        table,
        ofTable.map(({ column }) => column),
      )
      return placement?.kind === 'distributed' ? [[table, placement.by] as const] : []
    }),
  )
  return { columns, keys: await readKeys(), depends: await readHidden(), tenantTables, by }
}

async function readColumns(): Promise<Column[]> {
  const { rows } = await pool.query<Column>(`
    select c.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type,
      not a.attnotnull as nullable, a.attidentity as identity, pg_get_expr(d.adbin, d.adrelid) as fallback
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attnum > 0 and not a.attisdropped
    order by 1, a.attnum`)
  return rows
}

/** Primary keys, unique indexes (`u`) and foreign keys (`f`), with their columns in order. */
async function readKeys(): Promise<Key[]> {
  const { rows } = await pool.query<Key>(`
    select c.relname as table, i.relname as name, case when x.indisprimary then 'p' else 'u' end as kind,
      array(select coalesce(a.attname::text, '(an expression)')
        from unnest(x.indkey::int[]) with ordinality k (n, place)
        left join pg_attribute a on a.attrelid = c.oid and a.attnum = k.n
        where k.place <= x.indnkeyatts order by k.place) as columns,
      null as to, null::text[] as "toColumns"
    from pg_index x
    join pg_class c on c.oid = x.indrelid and c.relnamespace = 'public'::regnamespace
    join pg_class i on i.oid = x.indexrelid
    where x.indisunique
    union all
    select c.relname, f.conname, 'f', ${namesOf('f.conrelid', 'f.conkey')}, t.relname, ${namesOf('f.confrelid', 'f.confkey')}
    from pg_constraint f
    join pg_class c on c.oid = f.conrelid and c.relnamespace = 'public'::regnamespace
    join pg_class t on t.oid = f.confrelid
    where f.contype = 'f'
    order by 1, 2`)
  return rows
}

function namesOf(relation: string, numbers: string): string {
  return `array(select a.attname::text from unnest(${numbers}) with ordinality k (n, place)
    join pg_attribute a on a.attrelid = ${relation} and a.attnum = k.n order by k.place)`
}

/** Triggers, rules and row security. */
async function readHidden(): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(`
    select t.tgname::text as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where not t.tgisinternal and c.relnamespace = 'public'::regnamespace
    union all
    select relname from pg_class where relnamespace = 'public'::regnamespace
      and (relhasrules and relkind <> 'v' or relrowsecurity)`)
  return rows.map(({ name }) => name)
}

const isOnEveryNode = (table: string) => tablesWithoutOrganization[table]?.kind === 'reference'
const keyName = ({ table, name }: Key) => `${table}: ${name}`
const place = ({ table, column }: Column) => `${table}.${column}`
const ofTenants = ({ keys, tenantTables }: Look, kind: Key['kind']) =>
  keys.filter(key => tenantTables.has(key.table) && key.kind === kind)

/** Each rule, and a violation of it. */
const rules: Record<string, (look: Look) => string[]> = {
  'every table belongs to organizations or stands on the list of those that do not': ({
    columns,
    tenantTables,
  }) =>
    [...new Set(columns.map(({ table }) => table))].filter(
      table => tenantTables.has(table) === table in tablesWithoutOrganization,
    ),
  'no row is without its organization': ({ columns }) =>
    columns
      .filter(({ column, type, nullable }) => column === 'organization_id' && (nullable || type !== 'text'))
      .map(place),
  'a primary key begins with the organization': seen => {
    const good = ofTenants(seen, 'p').filter(({ columns: [first] }) => first === 'organization_id')
    return [...seen.tenantTables].filter(table => !good.some(key => key.table === table))
  },
  'rows are unique within the organization only': seen =>
    ofTenants(seen, 'u')
      .filter(({ columns: [first] }) => first !== 'organization_id')
      .map(keyName),
  'rows refer to rows of their organization, or to small tables that every node holds': seen =>
    ofTenants(seen, 'f')
      .filter(({ columns: [first, ...rest], to, toColumns }) => {
        if (!to || !seen.tenantTables.has(to)) return !to || !isOnEveryNode(to)
        return first !== 'organization_id' || toColumns?.[0] !== 'organization_id' || rest.length === 0
      })
      .map(keyName),
  'tables of the house do not refer to those of organizations': ({ keys, tenantTables }) =>
    keys.filter(({ table, to }) => to && tenantTables.has(to) && !tenantTables.has(table)).map(keyName),
  'a key of a divided table names its organization, or is replaced by one that does': seen =>
    seen.keys
      .filter(({ table, kind }) => kind !== 'f' && seen.by.has(table))
      .filter(key => !key.columns.includes(seen.by.get(key.table) ?? ''))
      .filter(
        key =>
          !seen.keys.some(
            other =>
              other.table === key.table &&
              other.kind !== 'f' &&
              [...key.columns, seen.by.get(key.table)].every(column => other.columns.includes(column ?? '')),
          ),
      )
      .map(keyName),
  'nothing numbers itself: ids are made, order comes from the relay': ({ columns }) =>
    columns.filter(({ identity, fallback }) => identity !== '' || /nextval/.test(fallback ?? '')).map(place),
  'nothing depends on a trigger, a rule or row security': ({ depends }) =>
    depends.filter(name => !(name in nets)),
  'times have milliseconds and a zone': ({ columns }) =>
    columns
      .filter(({ type }) => /^(timestamp|time|date)/.test(type) && type !== 'timestamp(3) with time zone')
      .map(place)
      .filter(name => !(name in otherTimes)),
  'names are snake_case': ({ columns }) =>
    columns
      .filter(
        ({ table, column }) => ![table, column].every(name => /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name)),
      )
      .map(place),
  'a column type neither cuts nor rounds': ({ columns }) =>
    columns
      .filter(({ type }) => /^(character|money|real|double|bit)/.test(type))
      .map(place)
      .filter(name => !roughNumbers.includes(name)),
}

test.each(Object.entries(rules))('%s', async (_rule, breaches) => {
  expect(breaches(await look())).toEqual([])
})

test('the lists of exceptions are current', async () => {
  const { columns } = await look()
  for (const table of Object.keys(tablesWithoutOrganization))
    expect(columns.map(column => column.table)).toContain(table)
  expect(nets).toMatchObject(
    Object.fromEntries(Object.keys(triggersOfOneServer).map(name => [name, expect.any(String)])),
  )
  for (const name of [...Object.keys(otherTimes), ...roughNumbers]) expect(columns.map(place)).toContain(name)
})

test('each rule finds its violations', async () => {
  await pool.query('begin')
  await pool.query(`
    create table leaky (organization_id text, id bigserial primary key, asset_id text, "At" timestamp,
      cost double precision, foreign key (asset_id) references person (id));
    create unique index leaky_at on leaky ("At", organization_id);
    create table leak (organization_id text references organization (id), id text, to_id bigint references leaky (id),
      primary key (organization_id, id));
    drop index webhook_due_key;
    create table homeless (id text primary key, leaky_id bigint references leaky (id));
    create trigger hidden before insert on leaky for each row execute function suppress_redundant_updates_trigger();`)
  const bad = await look()
  await pool.query('rollback')
  for (const [rule, breaches] of Object.entries(rules))
    expect([rule, breaches(bad).length]).not.toEqual([rule, 0])
})
