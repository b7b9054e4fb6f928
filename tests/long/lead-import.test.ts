import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importLeads, readLeadImport } from '#contract/crm/lead-imports.ts'
import { limits } from '#contract/limits.ts'
import { endAll, start, until } from '#tests/support/processes.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
let keeper: pg.Client
beforeAll(async () => {
  server = await startTestServer()
  keeper = new pg.Client({ connectionString: server.config.databaseUrl })
  await keeper.connect()
  await server.sql(`
    create function wait_at_the_gate() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(new.score); return new; end $$;
    create trigger wait_at_the_gate after insert on lead for each row
      when (new.company = 'Held') execute function wait_at_the_gate()`)
})
afterAll(async () => {
  await keeper?.end()
  endAll()
  await server?.close()
})

/** The number of processes that wait at a gate. */
async function waitingAt(gate: number): Promise<number> {
  const text = `select from pg_locks where locktype = 'advisory' and objid = $1 and not granted`
  return (await server.sql(text, [gate])).length
}

async function startImport(person: Person, lines: readonly string[]): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([['email,company,score', ...lines].join('\n')]), 'leads.csv')
  const answer = await person.call(importLeads, { form })
  if (!('id' in answer)) throw new Error('It was not a dry run')
  return answer.id
}

async function isDone(person: Person, id: string): Promise<boolean> {
  return (await person.call(readLeadImport, { params: { id } })).status === 'DONE'
}

test('kill -9 of a worker during an import: another worker continues, and each line becomes one lead', async () => {
  const [busy, person] = [
    await (await server.organization()).person(),
    await (await server.organization()).person(),
  ]
  const [first, second] = [1, 2]
  for (const gate of [first, second]) await keeper.query('select pg_advisory_lock($1)', [gate])
  // the worker of this process waits at the first gate, so the other worker takes the next import
  const before = await startImport(busy, ['busy@example.test,Held,1'])
  await until('one worker stands', async () => (await waitingAt(first)) === 1)
  const worker = await start('worker', server.env)
  const count = 3 * limits.csvImportBatch
  const held = limits.csvImportBatch + 7
  const lines = Array.from({ length: count }, (_, n) => `a${n}@example.test,${n === held ? 'Held,2' : ','}`)
  const id = await startImport(person, lines)
  await until('the other one stands in its second part', async () => (await waitingAt(second)) === 1)
  expect(await person.call(readLeadImport, { params: { id } })).toMatchObject({
    status: 'RUNNING',
    total: count,
    done: limits.csvImportBatch,
    created: limits.csvImportBatch,
  })
  await worker.stop('SIGKILL')
  await keeper.query('select pg_advisory_unlock_all()')
  // the lease of the killed worker lasts some seconds
  await until('both are done', async () => (await isDone(busy, before)) && (await isDone(person, id)), 60_000)

  const report = await person.call(readLeadImport, { params: { id } })
  expect(report).toMatchObject({ done: count, created: count, refused: 0, stoppedAt: null, lines: [] })
  await server.relayed()
  const [counted] = await server.sql(
    `select (select count(*)::int from lead where organization_id = $1) as leads,
       (select count(distinct email)::int from lead where organization_id = $1) as emails,
       (select new_count from lead_clock where organization_id = $1) as counted,
       (select count(*)::int from event where organization_id = $1 and name = 'LEAD_CREATED') as events,
       (select sum(json_array_length(detail -> 'leads'))::int from audit where organization_id = $1) as recorded`,
    [person.organizationId],
  )
  expect(counted).toEqual({ leads: count, emails: count, counted: count, events: count, recorded: count })
}, 120_000)
