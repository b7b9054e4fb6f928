import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { limits } from '#contract/limits.ts'
import { statements } from '#platform/db/statement.ts'
import { makeClient } from '#tests/crm.ts'
import { openWorld, type Person, type TestWorld } from '#tests/world.ts'

// 12,000 clients, contacts and opportunities in one organization, and as many in another: a page reads what it shows, and
// a count reads as much as it tells

const many = 12_000
let world: TestWorld
let client: pg.Client
let owner: Person
let clientId: string
beforeAll(async () => {
  world = await openWorld()
  for (let time = 0; time < 2; time++) {
    owner = await (await world.organization()).person({ role: 'OWNER' })
    clientId = (await makeClient(owner)).id
    const values = [owner.organizationId, many]
    await world.sql(
      `insert into crm_client (organization_id, id, name, name_folded, search, archived_at)
       select $1, 'k' || n, name, name, ' ' || name, case when n % 10 = 0 then now() end
       from (select n, 'client ' || md5(n::text) as name from generate_series(1, $2::int) n) k`,
      values,
    )
    await world.sql(
      `insert into crm_contact (organization_id, id, client_id, first_name, name_folded, search, email_hash, archived_at)
       select $1, 'p' || n, case when n <= 500 then $3 else 'k' || n end, name, name, ' ' || name, decode(md5(n::text), 'hex'),
         case when n % 10 = 0 then now() end
       from (select n, 'contact ' || md5(n::text) as name from generate_series(1, $2::int) n) p`,
      [...values, clientId],
    )
    await world.sql(
      `insert into crm_opportunity (organization_id, id, title, title_folded, status, client_id, created_at)
       select $1, 'o' || n, 't', 't', case when n % 100 = 0 then 'WON' else 'OPEN' end,
         case when n <= 500 then $3 else 'k' || n end, now() - n * interval '1 minute'
       from generate_series(1, $2::int) n`,
      [...values, clientId],
    )
  }
  await world.sql('vacuum analyze crm_client, crm_contact, crm_opportunity')
  client = new pg.Client({
    connectionString: world.config.databaseUrl,
    options: '-c plan_cache_mode=force_generic_plan -c jit=off',
  })
  await client.connect()
}, 120_000)
afterAll(async () => {
  await client?.end()
  await world?.close()
})

type Value = string | number | boolean | null
/** The blocks that the one statement reads whose text has all the parts. */
async function blocksOf(parts: string[], values: Value[]): Promise<number> {
  const found = statements().filter(({ text }) => parts.every(part => text.includes(part)))
  expect(found.map(({ text }) => text)).toHaveLength(1)
  const [{ name, text }] = found as [(typeof found)[number]]
  await client.query(`prepare ${name}_look as ${text}`)
  const written = values.map(value => (typeof value === 'string' ? `'${value}'` : String(value)))
  const { rows } = await client.query(
    `explain (analyze, buffers, format json) execute ${name}_look(${written.join(', ')})`,
  )
  await client.query(`deallocate ${name}_look`)
  const { Plan: plan } = (rows[0]['QUERY PLAN'] as { Plan: Record<string, number> }[])[0]!
  return plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!
}

const { pageLimit } = limits
// part of one name
const rare = '%c4ca4238a0b9%'
const ofClients = 'from crm_client c where'
const ofContacts = 'from crm_contact p where p.organization_id = $1 and p.erased_at is null and'
const ofOpportunities = 'from crm_opportunity o where'
const ordered = 'order by'
const counted = 'count(*)'

it.each<[string, string[], Value[]]>([
  ['clients', [ofClients, '$3::text is null', 'limit $4'], [false, null, pageLimit, 0]],
  ['archived clients', [ofClients, '$3::text is null', 'limit $4'], [true, null, pageLimit, 0]],
  ['clients with a part', [ofClients, 'like $3', 'limit $4'], [false, rare, pageLimit, 0]],
  ['their number', [ofClients, 'like $3', counted], [false, rare]],
  [
    'contacts',
    [ofContacts, '$3::text is null and $4::text is null', ordered],
    [false, null, null, pageLimit, 0],
  ],
  [
    'contacts of a client',
    [ofContacts, 'p.client_id = $3 and $4::text is null', ordered],
    [false, 'CLIENT', null, pageLimit, 0],
  ],
  [
    'contacts with a part',
    [ofContacts, '$3::text is null and p.search like $4', ordered],
    [false, null, rare, pageLimit, 0],
  ],
  [
    'opportunities',
    [ofOpportunities, '$2::text is null and $3::text is null', ordered],
    [null, null, pageLimit, 0],
  ],
  [
    'opportunities of a status',
    [ofOpportunities, 'o.status = $2 and $3::text is null', ordered],
    ['WON', null, pageLimit, 0],
  ],
  [
    'opportunities of a client',
    [ofOpportunities, '$2::text is null and o.client_id = $3', ordered],
    [null, 'CLIENT', pageLimit, 0],
  ],
])('%s are read alone', async (_what, parts, values) => {
  const given = values.map(value => (value === 'CLIENT' ? clientId : value))
  expect(await blocksOf(parts, [owner.organizationId, ...given])).toBeLessThan(300)
})

it.each<[string, string[], Value[]]>([
  ['clients', [ofClients, '$3::text is null', counted], [false, null]],
  ['contacts', [ofContacts, '$3::text is null and $4::text is null', counted], [false, null, null]],
  ['opportunities', [ofOpportunities, '$2::text is null and $3::text is null', counted], [null, null]],
  [
    'clients on the last page',
    [ofClients, '$3::text is null', 'limit $4'],
    [false, null, pageLimit, limits.pageOffset],
  ],
])('as many %s are looked at as are counted', async (_what, parts, values) => {
  const blocks = await blocksOf(parts, [owner.organizationId, ...values])
  // a row is in a block of its own, and those of the index are few
  expect(blocks).toBeLessThan(1.1 * (limits.pageOffset + pageLimit))
})
