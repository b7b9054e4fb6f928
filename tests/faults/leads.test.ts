import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createLead, syncLeads } from '#contract/crm/leads.ts'
import { makeLead } from '#tests/crm.ts'
import { dataFolder, endAll, type Patio, removeFolders, start, until } from '#tests/processes.ts'
import { openWorld, type TestWorld } from '#tests/world.ts'

// whole processes start here, on machines that may be busy
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const gate = 16

let world: TestWorld
let api: Patio
let keeper: pg.Client
beforeAll(async () => {
  world = await openWorld()
  const { signInSecret, sessionKeys } = world.config
  api = await start('api', {
    DATABASE_URL: world.config.databaseUrl,
    DATA_DIR: dataFolder(),
    SIGN_IN_SECRET: signInSecret,
    SESSION_KEYS: sessionKeys.map(({ kid, secret }) => `${kid}:${secret}`).join(),
  })
  keeper = new pg.Client({ connectionString: world.config.databaseUrl })
  await keeper.connect()
})
afterAll(async () => {
  await keeper?.end()
  await world?.close()
  endAll()
  removeFolders()
})

test('kill -9 between the moment of a change and its commit: nothing is left of it, and nobody waits for it', async () => {
  await world.sql(`
    create function wait_at_the_gate() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(${gate}); return new; end $$;
    create trigger wait_at_the_gate after insert on lead_change for each row
      when (new.source = 'held') execute function wait_at_the_gate()`)
  const waiting = async (event: string) => {
    const text = 'select from pg_stat_activity where datname = current_database() and wait_event = $1'
    return (await world.sql(text, [event])).length
  }
  const person = await (await world.organization()).person()
  const before = await makeLead(person)
  const { nextCursor: cursor } = await person.call(syncLeads, { query: {} })

  await keeper.query('select pg_advisory_lock($1)', [gate])
  const lost = person
    .at(api.url)
    .send(createLead, { query: {}, body: { email: 'lost@example.test', source: 'held' } })
    .catch(() => undefined)
  await until('the change has its moment', () => waiting('advisory'))
  const after = makeLead(person)
  await until('the next one waits for it', () => waiting('transactionid'))
  await api.stop('SIGKILL')
  await keeper.query('select pg_advisory_unlock($1)', [gate])

  const { updatedAt } = await after
  expect(await lost).toBeUndefined()
  const { data } = await person.call(syncLeads, { query: { cursor } })
  expect(data).toMatchObject([{ updatedAt }])
  expect(updatedAt > before.updatedAt).toBe(true)
  const [kept] = await world.sql(
    `select (select count(*)::int from lead where email = 'lost@example.test') as leads,
       (select count(*)::int from lead_change where source = 'held') as changes, new_count
     from lead_clock where organization_id = $1`,
    [person.organizationId],
  )
  expect(kept).toEqual({ leads: 0, changes: 0, new_count: 2 })
})
