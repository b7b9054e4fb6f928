import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { convertLead } from '#contract/crm/lead-moves.ts'
import { createLead, readLead, syncLeads } from '#contract/crm/leads.ts'
import { convert, makeClient, makeLead } from '#tests/support/crm/leads-and-clients.ts'
import { endAll, type Patio, start, until } from '#tests/support/processes.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

const gate = 16

let server: TestServer
let keeper: pg.Client
beforeAll(async () => {
  server = await startTestServer()
  keeper = new pg.Client({ connectionString: server.config.databaseUrl })
  await keeper.connect()
  await server.sql(`
    create function wait_at_the_gate() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(${gate}); return new; end $$;
    create trigger wait_at_the_gate after insert or update on lead for each row
      when (new.company = 'Held') execute function wait_at_the_gate()`)
})
afterAll(async () => {
  await keeper?.end()
  endAll()
  await server?.close()
})

async function waiting(event: string): Promise<number> {
  const text = 'select from pg_stat_activity where datname = current_database() and wait_event = $1'
  return (await server.sql(text, [event])).length
}

/**
 * Changes a lead of the company Held in a process that is killed between taking the clock and the commit, while another change
 * waits for the clock. Returns both results.
 */
async function killedBeside<Other>(
  change: (api: Patio) => Promise<unknown>,
  other: () => Promise<Other>,
): Promise<{ lost: unknown; finished: Other }> {
  const api = await start('api', server.env)
  await keeper.query('select pg_advisory_lock($1)', [gate])
  const lost = change(api).catch(() => undefined)
  await until('the change has its moment', () => waiting('advisory'))
  const finished = other()
  await until('the next one waits for it', () => waiting('transactionid'))
  await api.stop('SIGKILL')
  await keeper.query('select pg_advisory_unlock($1)', [gate])
  return { finished: await finished, lost: await lost }
}

test('kill -9 between taking the clock and the commit: the change is rolled back and others continue', async () => {
  const person = await (await server.organization()).person()
  const before = await makeLead(person)
  const { nextCursor: cursor } = await person.call(syncLeads, { query: {} })
  const body = { email: 'lost@example.test', company: 'Held' }
  const { lost, finished } = await killedBeside(
    api => person.at(api.url).send(createLead, { query: {}, body }),
    () => makeLead(person),
  )
  expect(lost).toBeUndefined()
  const { data } = await person.call(syncLeads, { query: { cursor } })
  expect(data).toMatchObject([{ id: finished.id, updatedAt: finished.updatedAt }])
  expect(finished.updatedAt > before.updatedAt).toBe(true)
  const [counted] = await server.sql(
    `select (select count(*)::int from lead where organization_id = $1) as leads,
       (select count(*)::int from lead_change where organization_id = $1) as changes, new_count
     from lead_clock where organization_id = $1`,
    [person.organizationId],
  )
  expect(counted).toEqual({ leads: 2, changes: 2, new_count: 2 })
})

test('kill -9 during a conversion: no client, contact or opportunity remains, and the lead can be converted again', async () => {
  const person = await (await server.organization()).person()
  const client = await makeClient(person)
  const lead = await makeLead(person, { firstName: 'Ada', company: 'Held' })
  const params = { id: lead.id }
  const body = { reason: 'They signed the offer today', createOpportunity: true }
  const { lost, finished } = await killedBeside(
    api => person.at(api.url).send(convertLead, { params, body }),
    () => convert(person, lead.id, { targetClientId: client.id }),
  )
  expect(lost).toBeUndefined()
  expect(finished).toMatchObject({ clientId: client.id, contactReused: false })
  expect(await person.call(readLead, { params, query: {} })).toEqual(finished.lead)
  const [counted] = await server.sql(
    `select (select count(*)::int from crm_client where organization_id = $1) as clients,
       (select count(*)::int from crm_contact where organization_id = $1) as contacts,
       (select count(*)::int from crm_opportunity where organization_id = $1) as opportunities,
       (select count(*)::int from lead_change where organization_id = $1) as changes, new_count, won_count
     from lead_clock where organization_id = $1`,
    [person.organizationId],
  )
  expect(counted).toEqual({
    clients: 1,
    contacts: 1,
    opportunities: 0,
    changes: 2,
    new_count: 0,
    won_count: 1,
  })
})
