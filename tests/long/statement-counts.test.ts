import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLead, listLeads, readLead } from '#contract/crm/leads.ts'
import { listAssets } from '#contract/studio/assets.ts'
import { makeLead } from '../support/crm/leads-and-clients.ts'
import { makeApplication } from '../support/integrations/applications.ts'
import { insertRows } from '../support/rows.ts'
import { makeAsset } from '../support/studio/assets.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

// Counts of statements, which do not depend on the machine: of an idle API and an idle worker process in a second (the dispatcher is a
// part of the worker), and of one call of common operations. They are the same with 10 organizations and with 2,000. docs/guides/growth.md states them

const few = 10
const many = 2_000
/** A multiple of the intervals of most jobs; the others run less than once a minute. */
const idleSeconds = 20
const processes = ['patio api', 'patio worker', 'patio dispatcher'] as const
type ProcessName = (typeof processes)[number]

let server: TestServer
/** The statements of each process so far, with those that open and end transactions. */
const sent: Record<ProcessName, number> = { 'patio api': 0, 'patio worker': 0, 'patio dispatcher': 0 }
const original = pg.Client.prototype.query

function isCounted(name: unknown): name is ProcessName {
  return processes.some(one => one === name)
}

beforeAll(async () => {
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const { application_name: name } = (
      this as unknown as { connectionParameters: { application_name?: string } }
    ).connectionParameters
    if (isCounted(name)) sent[name]++
    return (original as (...all: unknown[]) => unknown).apply(this, args)
  } as typeof original
  server = await startTestServer()
})
afterAll(async () => {
  pg.Client.prototype.query = original
  await server?.close()
})

/** Organizations whose clock and positions of events exist. */
async function plantOrganizations(prefix: string, count: number): Promise<void> {
  const ids = Array.from({ length: count }, (_, n) => `${prefix}${n}`)
  await insertRows(
    server,
    'organization',
    ids.map(id => ({ id, name: id, plan: 'FREE', features: [] })),
  )
  await insertRows(
    server,
    'lead_clock',
    ids.map(id => ({ organization_id: id })),
  )
  await insertRows(
    server,
    'relay_head',
    ids.map(id => ({ organization_id: id, event_seq: 0, event_oldest: 1, audit_seq: 0, audit_hash: '' })),
  )
}

async function idlePerSecond(): Promise<Record<ProcessName, number>> {
  const before = { ...sent }
  await sleep(idleSeconds * 1_000)
  return {
    'patio api': (sent['patio api'] - before['patio api']) / idleSeconds,
    'patio worker': (sent['patio worker'] - before['patio worker']) / idleSeconds,
    'patio dispatcher': (sent['patio dispatcher'] - before['patio dispatcher']) / idleSeconds,
  }
}

/** The statements of one call: the fewest of several, because what the process polls meanwhile counts, too. */
async function ofCall(call: () => Promise<unknown>): Promise<number> {
  const counts: number[] = []
  for (let n = 0; n < 12; n++) {
    const before = sent['patio api']
    await call()
    counts.push(sent['patio api'] - before)
  }
  return Math.min(...counts)
}

async function countAll() {
  const organization = await server.organization()
  const person = await organization.person({ role: 'OWNER' })
  const application = await makeApplication(server, organization, {
    scopes: ['crm:leads:read', 'crm:leads:write'],
  })
  const { id } = await makeLead(person)
  await makeAsset(person)
  let count = 0
  const body = () => ({ email: `counted-${organization.id}-${++count}@example.test` })
  const ofCalls = {
    'application: read a lead': await ofCall(() => application.client.call(readLead, { params: { id } })),
    'application: list leads': await ofCall(() => application.client.call(listLeads, {})),
    'application: create a lead': await ofCall(() => application.client.call(createLead, { body: body() })),
    'person: read a lead': await ofCall(() => person.call(readLead, { params: { id } })),
    'person: list leads': await ofCall(() => person.call(listLeads, {})),
    'person: list assets': await ofCall(() => person.call(listAssets, {})),
    'person: create a lead': await ofCall(() => person.call(createLead, { body: body() })),
    'person: create an asset': await ofCall(() => makeAsset(person)),
  }
  // what the calls caused is done
  await sleep(5_000)
  return { ofCalls, idle: await idlePerSecond() }
}

test('2,000 organizations cost no more statements than 10, in idle processes and in a call', async () => {
  await plantOrganizations('few', few)
  const small = await countAll()
  await plantOrganizations('many', many - few)
  await server.sql('analyze')
  const large = await countAll()
  process.stdout.write(`${JSON.stringify({ small, large }, null, 2)}\n`)
  expect(large.ofCalls).toEqual(small.ofCalls)
  for (const name of processes) {
    // a job that runs once a minute may fall into one of the two
    expect(large.idle[name] - small.idle[name]).toBeLessThan(2)
  }
  expect(large.idle['patio api']).toBeLessThan(2)
  expect(large.idle['patio worker']).toBeLessThan(8)
  expect(large.idle['patio dispatcher']).toBeLessThan(2)
})
