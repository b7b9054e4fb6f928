import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLead, syncLeads, updateLead } from '#contract/crm/leads.ts'
import { delayLeadChanges, followChanges, stampWithTransactionTime } from '#tests/support/crm/lead-sync.ts'
import { makeLead } from '#tests/support/crm/leads-and-clients.ts'
import { firstOf, itemAt, only } from '#tests/support/elements.ts'
import { until } from '#tests/support/processes.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

// Decision 0016: no change becomes visible behind one that a reader has already received.

describe('with delayed writers', () => {
  const run = { organizations: 2, writers: 8, rounds: 8, pages: [1, 7, 200] }

  async function follow(prepare: (server: TestServer) => Promise<void>) {
    const server = await startTestServer()
    try {
      await prepare(server)
      await delayLeadChanges(server, 0.008)
      const other = await server.anotherApi()
      return await followChanges(server, { ...run, urls: [server.url, other.url] })
    } finally {
      await server.close()
    }
  }

  test('a reader misses no change and never goes back', async () => {
    const { changes, ...outcome } = await follow(async () => {})
    expect(outcome).toEqual({ missed: [], backwards: 0, deadlocks: 0 })
    expect(changes).toBeGreaterThan(60)
  })

  test('with the transaction time instead of the clock it misses changes, which proves that the test detects them', async () => {
    const { missed } = await follow(stampWithTransactionTime)
    expect(missed).not.toEqual([])
  })
})

describe('one after the other', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server?.close())

  test('the second writer waits for the first to commit, and a reader sees neither change before', async () => {
    const gate = 16
    await server.sql(`
      create function wait_at_the_gate() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock_shared(${gate}); return new; end $$;
      create trigger wait_at_the_gate before insert on outbox for each row
        when (new.audit ->> 'client' = 'held') execute function wait_at_the_gate()`)
    const keeper = new pg.Client({ connectionString: server.config.databaseUrl })
    await keeper.connect()
    const waiting = async (event: string) =>
      (
        await server.sql(
          `select from pg_stat_activity where datname = current_database() and wait_event = $1`,
          [event],
        )
      ).length
    try {
      const person = await (await server.organization()).person()
      const { nextCursor: cursor } = await person.call(syncLeads, { query: {} })
      await keeper.query('select pg_advisory_lock($1)', [gate])
      const first = person.call(createLead, {
        query: {},
        body: { email: 'first@example.test' },
        headers: { 'User-Agent': 'held' },
      })
      await until('the first has its moment', () => waiting('advisory'))
      const second = makeLead(person, { email: 'second@example.test' })
      await until('the second waits for it', () => waiting('transactionid'))
      expect((await person.call(syncLeads, { query: { cursor } })).data).toEqual([])
      await keeper.query('select pg_advisory_unlock($1)', [gate])
      await Promise.all([first, second])
      const { data } = await person.call(syncLeads, { query: { cursor } })
      expect(data.map(({ email }) => email)).toEqual(['first@example.test', 'second@example.test'])
      expect(firstOf(data).updatedAt < itemAt(data, 1).updatedAt).toBe(true)
    } finally {
      await keeper.end()
    }
  })

  test('a machine clock that goes back five seconds does not reorder changes', async () => {
    const person = await (await server.organization()).person()
    const early = await makeLead(person)
    // as if the clock had been five seconds ahead when this lead was made
    const { soon } = only(
      await server.sql<{ soon: string }>(`select (clock_timestamp() + interval '5 s')::text as soon`),
    )
    const ahead = only(
      await server.sql<{ last: string }>(
        `with c as (
         update lead_clock set last_change_at = $3::timestamptz, last_tx = pg_current_xact_id()
         where organization_id = $1 returning last_change_at as last)
       update lead set updated_at = c.last from c where organization_id = $1 and id = $2 returning c.last`,
        [person.organizationId, early.id, soon],
      ),
    )
    const page = await person.call(syncLeads, { query: {} })
    const late = await makeLead(person)
    const change = await person.call(updateLead, {
      params: { id: early.id },
      query: {},
      body: { company: 'Later' },
    })
    const at = Date.parse(only(page.data).updatedAt)
    expect(Date.parse(ahead.last)).toBe(at)
    expect([late.updatedAt, change.lead.updatedAt].map(time => Date.parse(time) - at)).toEqual([1, 2])
    const { data } = await person.call(syncLeads, { query: { cursor: page.nextCursor } })
    expect(data.map(({ id }) => id)).toEqual([late.id, early.id])
  })
})
