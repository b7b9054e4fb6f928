import { afterAll, beforeAll, expect, it } from 'vitest'
import { listClients } from '#contract/crm/clients.ts'
import { listContacts } from '#contract/crm/contacts.ts'
import { listOpportunities } from '#contract/crm/opportunities.ts'
import { limits } from '#contract/limits.ts'
import type { Operation } from '#contract/operation.ts'
import { makeClient } from '#tests/support/crm/leads-and-clients.ts'
import { openPlans, type Plans, type PlanValue } from '#tests/support/plans.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'

// 12,000 clients, contacts, opportunities, budgets and signatures in each of two organizations: a page reads the rows that it shows, and
// a count reads at most its limit

const many = 12_000
let server: TestServer
let plans: Plans
let owner: Person
let clientId: string
beforeAll(async () => {
  server = await startTestServer({}, { hasWorker: false })
  for (let time = 0; time < 2; time++) {
    owner = await (await server.organization()).person({ role: 'OWNER' })
    clientId = (await makeClient(owner)).id
    const values = [owner.organizationId, many]
    await server.sql(
      `insert into crm_client (organization_id, id, name, name_folded, search, archived_at)
       select $1, 'k' || n, name, name, ' ' || name, case when n % 10 = 0 then now() end
       from (select n, 'client ' || md5(n::text) as name from generate_series(1, $2::int) n) k`,
      values,
    )
    await server.sql(
      `insert into crm_contact (organization_id, id, client_id, first_name, name_folded, search, email_hash, archived_at)
       select $1, 'p' || n, case when n <= 500 then $3 else 'k' || n end, name, name, ' ' || name, decode(md5(n::text), 'hex'),
         case when n % 10 = 0 then now() end
       from (select n, 'contact ' || md5(n::text) as name from generate_series(1, $2::int) n) p`,
      [...values, clientId],
    )
    await server.sql(
      `insert into crm_opportunity (organization_id, id, title, title_folded, status, client_id, created_at)
       select $1, 'o' || n, 't', 'opportunity ' || md5(n::text), case when n % 100 = 0 then 'WON' else 'OPEN' end,
         case when n <= 500 then $3 else 'k' || n end, now() - n * interval '1 minute'
       from generate_series(1, $2::int) n`,
      [...values, clientId],
    )
    await server.sql(
      `insert into budget (organization_id, id, code, title, title_folded, status, client_id, issue_date, currency, content,
         subtotal_cents, discount_cents, tax_cents, total_cents, created_at)
       select $1, 'b' || n, 'P-2026-' || n, 't', 'budget ' || md5(n::text), case when n % 100 = 0 then 'SENT' else 'DRAFT' end,
         case when n <= 500 then $3 else 'k' || n end, '2026-01-02', 'eur', jsonb_build_object('sections', repeat(md5(n::text), 100)),
         0, 0, 0, 0, now() - n * interval '1 minute'
       from generate_series(1, $2::int) n`,
      [...values, clientId],
    )
    await server.sql(
      `insert into signing_link (organization_id, id, budget_id, signer_name, signer_email, token_digest, expires_at)
       select $1, 'l' || n, 'b' || n, 'Ada', n || '@example.test', decode(md5(n::text), 'hex'), now() + interval '1 day'
       from generate_series(1, $2::int) n`,
      values,
    )
    await server.sql(
      `insert into budget_signature (organization_id, id, budget_id, signing_link_id, via, signed_at, signer_name, signer_email,
         ip, ip_masked, user_agent, document_hash, hash_version, number, evidence_hash)
       select $1, 's' || n, 'b' || n, 'l' || n, 'LINK', now(), 'Ada', n || '@example.test', '::1', '', repeat('x', 300),
         md5(n::text) || md5(n::text), 2, n, md5(n::text) || md5(n::text)
       from generate_series(1, $2::int) n`,
      values,
    )
    await server.sql(
      `insert into budget_event (organization_id, id, budget_id, kind, at)
       select $1, 'e' || n, 'b' || n, 'SIGNED', now() from generate_series(1, $2::int) n`,
      values,
    )
  }
  await server.sql(
    'vacuum analyze crm_client, crm_contact, crm_opportunity, budget, signing_link, budget_signature, budget_event',
  )
  plans = await openPlans(server.config.databaseUrl)
})
afterAll(async () => {
  await plans?.close()
  await server?.close()
})

const { pageLimit } = limits
// a part of one name
const rare = '%c4ca4238a0b9%'
const ofClients = 'from crm_client c where c.organization_id = $1 and (c.archived_at'
const ofContacts = 'from crm_contact p where p.organization_id = $1 and p.erased_at is null and'
// of the one with a rare name
const hashes = '{c4ca4238a0b923820dcc509a6f75849b}'
const ofOpportunities = 'from crm_opportunity o where'
const ofBudgets = 'from budget b where'
const ordered = 'order by'
const newestOpportunities = 'order by o.created_at desc, o.id desc limit $4'
const newestBudgets = 'order by b.created_at desc, b.id desc limit $4'
const searched = 'with newest as'
const rareSearch: PlanValue[] = [pageLimit, 0, `{${rare}}`, true, rare, rare, rare]
const counted = 'count(*) as total'

it.each<[string, string[], PlanValue[]]>([
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
    [ofOpportunities, '$2::text is null and $3::text is null', newestOpportunities],
    [null, null, pageLimit, 0],
  ],
  [
    'opportunities of a status',
    [ofOpportunities, 'o.status = $2 and $3::text is null', newestOpportunities],
    ['WON', null, pageLimit, 0],
  ],
  [
    'opportunities of a client',
    [ofOpportunities, '$2::text is null and o.client_id = $3', newestOpportunities],
    [null, 'CLIENT', pageLimit, 0],
  ],
  [
    'budgets',
    [ofBudgets, '$2::text is null and $3::text is null', newestBudgets],
    [null, null, pageLimit, 0],
  ],
  [
    'budgets of a status',
    [ofBudgets, 'b.status = $2 and $3::text is null', newestBudgets],
    ['SENT', null, pageLimit, 0],
  ],
  [
    'budgets of a client',
    [ofBudgets, '$2::text is null and b.client_id = $3', newestBudgets],
    [null, 'CLIENT', pageLimit, 0],
  ],
  [
    'budgets that were sent to a client',
    [ofBudgets, 'b.client_id = $2 and b.status in', ordered],
    ['CLIENT'],
  ],
  ['opportunities by ids', ['from crm_opportunity r where'], ['{o1,o50,o11000}', null, null, null]],
  ['budgets by ids', ['from budget r where'], ['{b1,b50,b11000}', null, null, null]],
  ['clients by ids', ['from crm_client r where'], ['{k1,k50,k11000}', null, null]],
  ['signing links of a budget', ['from signing_link l', 'l.budget_id = $2 order by'], ['b7']],
  [
    'what a secret opens',
    ['as sender from signing_link l', "b.status = 'SENT' and l."],
    ['c4ca4238a0b923820dcc509a6f75849b'],
  ],
  [
    'what a secret shows',
    ['as sender from signing_link l', "b.status = 'SENT' or l."],
    ['c4ca4238a0b923820dcc509a6f75849b'],
  ],
  ['signatures of a budget', ['left join budget_signature s', 's.budget_id = b.id', ordered], ['b7']],
  [
    'signatures of a part of the chain',
    ['from budget_signature s', 's.number > $2 order by'],
    [6_000, pageLimit],
  ],
  ['events of a budget', ['from budget_event e', ordered], ['b7', pageLimit]],
  ['links of who never signed', ['update signing_link l set signer_name'], ['{7@example.test}']],
  [
    'contacts who may enter the portal',
    ['as sender from crm_contact p', ordered],
    ['{c81e728d9d4c2f636f067f89cc14862c}'],
  ],
])('%s reads only the rows that it needs', async (_what, parts, values) => {
  const input = values.map(value => (value === 'CLIENT' ? clientId : value))
  expect(await plans.blocksOf(parts, [owner.organizationId, ...input])).toBeLessThan(300)
})

// one block for each of the newest rows, and few of the index
it.each<[string, string[], PlanValue[]]>([
  ['opportunities', [ofOpportunities, '$2::text is null and $3::text is null', searched], [null, null]],
  [
    'opportunities of a status',
    [ofOpportunities, 'o.status = $2 and $3::text is null', searched],
    ['OPEN', null],
  ],
  ['budgets', [ofBudgets, '$2::text is null and $3::text is null', searched], [null, null]],
  ['budgets of a status', [ofBudgets, 'b.status = $2 and $3::text is null', searched], ['DRAFT', null]],
  ['budgets of a client', [ofBudgets, '$2::text is null and b.client_id = $3', searched], [null, 'CLIENT']],
])('a search for a rare word among %s reads the newest and the index', async (_what, parts, values) => {
  const input = values.map(value => (value === 'CLIENT' ? clientId : value))
  expect(await plans.blocksOf(parts, [owner.organizationId, ...input, ...rareSearch])).toBeLessThan(
    limits.customerSearchNewest + 300,
  )
})

it('a contact is found by e-mail without the others of its client', async () => {
  const values = [owner.organizationId, clientId, hashes]
  expect(
    await plans.blocksOf(['from crm_contact p', 'p.email_hash = any', 'for no key update'], values),
  ).toBeLessThan(30)
})

it.each<[string, string[], PlanValue[]]>([
  ['clients', [ofClients, '$3::text is null', counted], [false, null]],
  ['contacts', [ofContacts, '$3::text is null and $4::text is null', counted], [false, null, null]],
  ['opportunities', [ofOpportunities, '$2::text is null and $3::text is null', counted], [null, null]],
  ['budgets', [ofBudgets, '$2::text is null and $3::text is null', counted], [null, null]],
  [
    'clients on the last page',
    [ofClients, '$3::text is null', 'limit $4'],
    [false, null, pageLimit, limits.pageOffset],
  ],
])('%s reads no more rows than it counts', async (_what, parts, values) => {
  const blocks = await plans.blocksOf(parts, [owner.organizationId, ...values])
  // each row is in its own block, and the index has few
  expect(blocks).toBeLessThan(1.1 * (limits.pageOffset + pageLimit))
})

it.each<[string, Operation<{ query: object }, { total: number }>]>([
  ['clients', listClients],
  ['contacts', listContacts],
  ['opportunities', listOpportunities],
])('and the total of %s stops there', async (_what, list) => {
  expect((await owner.call(list, { query: {} })).total).toBe(limits.customersCounted)
})
