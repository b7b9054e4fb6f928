import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { limits } from '#contract/limits.ts'
import { statements } from '#platform/data/statement.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

// an organization, a person and a channel, each at its limit

let server: TestServer
let organization: Organization
let person: Person
let client: pg.Client
beforeAll(async () => {
  server = await startTestServer({}, { hasWorker: false })
  organization = await server.organization()
  person = await organization.person()
  const { id } = organization
  await server.sql(
    `insert into chat_channel (organization_id, id, kind, name, name_folded, is_discoverable, created_by, last_message_at, archived_at)
     select $1, 'c' || n, 'CHANNEL', md5(n::text), md5(n::text), n % 2 = 0, $2, now() - n * interval '1 second',
       case when n % 10 = 9 then now() end from generate_series(1, $3) n`,
    [id, person.id, limits.channelsPerOrganization],
  )
  await server.sql(
    `insert into chat_member (organization_id, channel_id, person_id, role)
     select $1, 'c' || n * 20, $2, 'OWNER' from generate_series(1, $3) n`,
    [id, person.id, limits.channelsPerPerson],
  )
  await server.sql(
    `insert into person (id, name, email, email_verified)
     select 'm' || n, 'x', 'm' || n || '@example.test', true from generate_series(1, $1) n`,
    [limits.membersPerChannel],
  )
  await server.sql(
    `insert into membership (organization_id, person_id, role, name, email)
     select $1, 'm' || n, 'MEMBER', 'x', 'm' || n || '@example.test' from generate_series(1, $2) n`,
    [id, limits.membersPerChannel],
  )
  await server.sql(
    `insert into chat_member (organization_id, channel_id, person_id, role)
     select $1, 'c1', 'm' || n, 'MEMBER' from generate_series(1, $2) n`,
    [id, limits.membersPerChannel],
  )
  // VACUUM marks no page as visible to all while the commit of its rows is not flushed, and tests commit asynchronously
  await server.sql('begin; set local synchronous_commit = on; analyze chat_channel; commit')
  await server.sql('vacuum analyze chat_channel, chat_member, membership')
  client = new pg.Client({
    connectionString: server.config.databaseUrl,
    options: '-c plan_cache_mode=force_generic_plan -c jit=off',
  })
  await client.connect()
})
afterAll(async () => {
  await client?.end()
  await server?.close()
})

type Plan = Record<string, unknown> & { Plans?: Plan[] }
const flat = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flat)]

async function explain(part: RegExp, values: (string | number | boolean | null)[]) {
  const matches = statements().filter(({ text }) => part.test(text))
  expect(matches.map(({ text }) => text)).toHaveLength(1)
  const [{ name, text }] = matches as [(typeof matches)[number]]
  await client.query('deallocate all')
  await client.query(`prepare ${name}_look as ${text}`)
  const toLiteral = values.map(value => (typeof value === 'string' ? `'${value}'` : String(value)))
  const { rows } = await client.query(
    `explain (analyze, buffers, format json) execute ${name}_look(${toLiteral.join(', ')})`,
  )
  const plan = (rows[0]['QUERY PLAN'] as { Plan: Plan }[])[0]!.Plan
  return {
    blocks: Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks']),
    rows: Number(plan['Actual Rows']),
    sorted: Math.max(
      0,
      ...flat(plan)
        .filter(node => node['Node Type'] === 'Sort')
        .map(node => Number((node.Plans as Plan[])[0]!['Actual Rows'])),
    ),
  }
}

const open = 'c\\.is_discoverable and c\\.archived_at is null'
it.each<[string, RegExp, () => (string | number | boolean | null)[], maxBlocks: number, maxSorted: number]>([
  // the only list that sorts, bounded by the channels of a person
  [
    'the channels of a person',
    /^select c\.\*, \(select least.* \$4::text is null order by coalesce/,
    () => [person.id, false, null, 20, 0],
    10_000,
    limits.channelsPerPerson,
  ],
  ['one channel', /^select c\.id.*m\.notification, \(select least/, () => [person.id, 'c10'], 60, 0],
  [
    'the directory',
    new RegExp(`^select c\\.\\*, \\(select m\\.role .*${open}.*\\$3::text is null`),
    () => [person.id, null, 20, 0],
    400,
    20,
  ],
  [
    'the directory by name',
    new RegExp(`^select c\\.\\*, \\(select m\\.role .*${open}.*like \\$3`),
    () => [person.id, '%abcde%', 20, 0],
    1_000,
    100,
  ],
  [
    'the total of the directory',
    new RegExp(`^select count.*${open}.*\\$2::text is null`),
    () => [null],
    1_000,
    0,
  ],
  [
    'all channels',
    /^select c\.\*, \(select m\.role .* has_owner .*\$3::text is null and \$7::text is null/,
    () => [person.id, null, 20, 0, false, null],
    600,
    20,
  ],
  [
    'all archived channels',
    /^select c\.\*, \(select m\.role .* has_owner .*\$3::text is null and \$7::text is null/,
    () => [person.id, null, 20, 0, true, null],
    600,
    20,
  ],
  [
    'the channels with an owner, which are one in twenty',
    /^select c\.\*, \(select m\.role .* has_owner .*\$3::text is null and \$7 = coalesce/,
    () => [person.id, null, 20, 0, false, true],
    3_000,
    20,
  ],
  ['a page of members', /joined_at, m\.person_id limit/, () => ['c1', 20, 9_000], 35_000, 0],
])('%s', async (_name, part, values, maxBlocks, maxSorted) => {
  const { blocks, rows, sorted } = await explain(part, [organization.id, ...values()])
  expect(rows).toBeGreaterThan(0)
  expect(blocks).toBeLessThanOrEqual(maxBlocks)
  expect(sorted).toBeLessThanOrEqual(maxSorted)
})
