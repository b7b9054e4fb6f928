import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listClients as clientList } from '#contract/crm/clients.ts'
import { listContacts as contactList } from '#contract/crm/contacts.ts'
import { listOpportunities as opportunityList } from '#contract/crm/opportunities.ts'
import { limits } from '#contract/limits.ts'
import type { Operation } from '#contract/operation.ts'
import type { Tx } from '#platform/data/db.ts'
import { makeClient } from '#tests/support/crm/leads-and-clients.ts'
import { exactly, firstOf } from '#tests/support/elements.ts'
import { openPlans, type Plans } from '#tests/support/plans.ts'
import { scattered } from '#tests/support/random.ts'
import { insertMany, secondsAgo } from '#tests/support/rows.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { listBudgets } from './budgets/budget.sql.ts'
import { listClients, listClientsByIds } from './clients/client.sql.ts'
import { listContacts, lockContactOf } from './contacts/contact.sql.ts'
import { listOpportunities } from './opportunities/opportunity.sql.ts'
import { budgetsSentTo, customerByEmail } from './portal/portal.sql.ts'
import { signaturesFor } from './signatures/signature.access.ts'
import { chainRange } from './signatures/signature.sql.ts'
import { eventsOf } from './signing/signing-events.sql.ts'
import { openLinkFor, viewableLinkFor } from './signing/signing-link.access.ts'
import { eraseLinksOf, linksOf } from './signing/signing-link.sql.ts'
import { digestOf, newToken } from './signing/signing-link.token.ts'

// 12,000 clients, contacts, opportunities, budgets and signatures in each of two organizations: a page reads the rows that it shows, and
// a count reads at most its limit

const many = 12_000
let server: TestServer
let plans: Plans
let owner: Person
let clientId: string
let token: string
beforeAll(async () => {
  server = await startTestServer({}, { hasWorker: false })
  for (let time = 0; time < 2; time++) {
    owner = await (await server.organization()).person({ role: 'OWNER' })
    clientId = (await makeClient(owner)).id
    const organization_id = owner.organizationId
    const clientOf = (n: number) => (n <= 500 ? clientId : `k${n}`)
    await insertMany(server, 'crm_client', many, n => ({
      organization_id,
      id: `k${n}`,
      name: `client ${scattered(n)}`,
      name_folded: `client ${scattered(n)}`,
      search: ` client ${scattered(n)}`,
      archived_at: n % 10 === 0 ? new Date() : null,
    }))
    await insertMany(server, 'crm_contact', many, n => ({
      organization_id,
      id: `p${n}`,
      client_id: clientOf(n),
      first_name: `contact ${scattered(n)}`,
      name_folded: `contact ${scattered(n)}`,
      search: ` contact ${scattered(n)}`,
      email_hash: `\\x${scattered(n)}`,
      archived_at: n % 10 === 0 ? new Date() : null,
    }))
    await insertMany(server, 'crm_opportunity', many, n => ({
      organization_id,
      id: `o${n}`,
      title_folded: `opportunity ${scattered(n)}`,
      status: n % 100 === 0 ? 'WON' : 'OPEN',
      client_id: clientOf(n),
      created_at: secondsAgo(n * 60),
    }))
    await insertMany(server, 'budget', many, n => ({
      organization_id,
      id: `b${n}`,
      code: `P-2026-${n}`,
      title_folded: `budget ${scattered(n)}`,
      status: n % 100 === 0 ? 'SENT' : 'DRAFT',
      client_id: clientOf(n),
      content: { sections: scattered(n).repeat(100) },
      created_at: secondsAgo(n * 60),
    }))
    await insertMany(server, 'signing_link', many, n => ({
      organization_id,
      id: `l${n}`,
      budget_id: `b${n}`,
      token_digest: `\\x${scattered(n)}`,
    }))
    await insertMany(server, 'budget_signature', many, n => ({
      organization_id,
      id: `s${n}`,
      budget_id: `b${n}`,
      signing_link_id: `l${n}`,
      user_agent: 'x'.repeat(300),
      document_hash: scattered(n).repeat(2),
      number: n,
      evidence_hash: scattered(n).repeat(2),
    }))
    await insertMany(server, 'budget_event', many, n => ({
      organization_id,
      id: `e${n}`,
      budget_id: `b${n}`,
      kind: 'SIGNED',
    }))
  }
  token = newToken(owner.organizationId)
  // of a budget that was sent
  await server.sql(
    `update signing_link set token_digest = decode($2, 'hex') where organization_id = $1 and id = 'l100'`,
    [owner.organizationId, digestOf(token)],
  )
  await server.sql(
    'vacuum analyze crm_client, crm_contact, crm_opportunity, budget, signing_link, budget_signature, budget_event',
  )
  plans = await openPlans(server.config.databaseUrl)
})
afterAll(async () => {
  await plans?.close()
  await server?.close()
})

/** The hash of the e-mail of a planted contact. */
const hashOf = (n: number) => createHash('md5').update(String(n)).digest('hex')
type Read = (db: Tx) => Promise<unknown>
const { pageLimit } = limits
const page = { limit: pageLimit, offset: 0 }
const lastPage = { limit: pageLimit, offset: limits.pageOffset }
// a part of one name
const rare = 'c4ca4238a0b9'
const clients = { archived: false, search: null }
const contacts = { archived: false, clientId: null, search: null }
const any = { status: null, clientId: null }
// each row is in its own block, and the index has few
const counted = 1.1 * (limits.pageOffset + pageLimit)

it.each<[string, Read, mostCounted?: number]>([
  ['clients', db => listClients(db, clients, page)],
  ['archived clients', db => listClients(db, { ...clients, archived: true }, page)],
  ['clients with a part', db => listClients(db, { ...clients, search: `%${rare}%` }, page), 300],
  ['contacts', db => listContacts(db, contacts, page)],
  ['contacts of a client', db => listContacts(db, { ...contacts, clientId }, page)],
  ['contacts with a part', db => listContacts(db, { ...contacts, search: `%${rare}%` }, page), 300],
  ['opportunities', db => listOpportunities(db, any, page)],
  ['opportunities of a status', db => listOpportunities(db, { ...any, status: 'WON' }, page)],
  ['opportunities of a client', db => listOpportunities(db, { ...any, clientId }, page)],
  ['budgets', db => listBudgets(db, any, page)],
  ['budgets of a status', db => listBudgets(db, { ...any, status: 'SENT' }, page)],
  ['budgets of a client', db => listBudgets(db, { ...any, clientId }, page)],
])('a page of %s reads only the rows that it shows', async (_what, read, mostCounted = counted) => {
  const [listed, total] = exactly(2, await plans.explain(owner.organizationId, read))
  expect(listed.blocks).toBeLessThan(300)
  expect(total.blocks).toBeLessThan(mostCounted)
})

it('the last page of clients reads no more rows than it counts', async () => {
  const listed = firstOf(await plans.explain(owner.organizationId, db => listClients(db, clients, lastPage)))
  expect(listed.blocks).toBeLessThan(counted)
})

it.each<[string, Read, most?: number]>([
  ['budgets that were sent to a client', db => budgetsSentTo(db, clientId)],
  ['opportunities by ids', db => listOpportunities(db, { ...any, ids: ['o1', 'o50', 'o11000'] }, page)],
  ['budgets by ids', db => listBudgets(db, { ...any, ids: ['b1', 'b50', 'b11000'] }, page)],
  [
    'clients by ids',
    db => listClientsByIds(db, ['k1', 'k50', 'k11000'], { archived: null, search: null }, page),
  ],
  ['signing links of a budget', db => linksOf(db, 'b7')],
  ['what a secret opens', db => openLinkFor(db, token)],
  ['what a secret shows', db => viewableLinkFor(db, token)],
  ['signatures of a budget', db => signaturesFor(db, 'b7')],
  ['signatures of a part of the chain', db => chainRange(db, 6_000, pageLimit)],
  ['events of a budget', db => eventsOf(db, 'b7', pageLimit)],
  ['links of who never signed', db => eraseLinksOf(db, ['7@example.test'])],
  ['contacts who may enter the portal', db => customerByEmail(db, [hashOf(2)])],
  [
    'a contact by e-mail, without the others of its client',
    db => lockContactOf(db, clientId, [hashOf(1)]),
    30,
  ],
])('%s: reads only the rows that it needs', async (_what, read, most = 300) => {
  expect(await plans.blocksOf(owner.organizationId, read)).toBeLessThan(most)
})

// one block for each of the newest rows, and few of the index
it.each<[string, Read]>([
  ['opportunities', db => listOpportunities(db, { ...any, search: rare }, page)],
  ['opportunities of a status', db => listOpportunities(db, { ...any, status: 'OPEN', search: rare }, page)],
  ['budgets', db => listBudgets(db, { ...any, search: rare }, page)],
  ['budgets of a status', db => listBudgets(db, { ...any, status: 'DRAFT', search: rare }, page)],
  ['budgets of a client', db => listBudgets(db, { ...any, clientId, search: rare }, page)],
])('a search for a rare word among %s reads the newest and the index', async (_what, read) => {
  expect(await plans.blocksOf(owner.organizationId, read)).toBeLessThan(limits.customerSearchNewest + 300)
})

it.each<[string, Operation<{ query: object }, { total: number }>]>([
  ['clients', clientList],
  ['contacts', contactList],
  ['opportunities', opportunityList],
])('the total of %s stops at the limit', async (_what, list) => {
  expect((await owner.call(list, { query: {} })).total).toBe(limits.customersCounted)
})
