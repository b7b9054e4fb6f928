import Ajv from 'ajv'
import addFormats from 'ajv-formats'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { events, type ForApplications } from '#contract/events.ts'
import { readCatalogue } from '#contract/integrations/catalogue.ts'
import { isCurrency } from '#platform/currency.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { catalogue } from './event-catalogue.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

const applicationEvents = Object.entries(events as Record<string, { audience: string }>)
  .filter(([, { audience }]) => audience === 'applications')
  .map(([name]) => name)

test('an application reads all events for applications and no others', async () => {
  const { client } = await makeApplication(server, await server.organization())
  const reply = await client.call(readCatalogue)
  expect(reply.events.map(({ event }) => event).sort()).toEqual(applicationEvents.sort())
  expect(reply.events).toEqual(JSON.parse(JSON.stringify(catalogue)))
  expect(JSON.stringify(reply)).not.toContain('ai-asset')
})

test('needs the module and a key', async () => {
  const poor = await makeApplication(server, await server.organization({ plan: 'FREE' }))
  expect(await poor.client.send(readCatalogue)).toMatchObject({
    status: 403,
    body: { errorCode: 'MODULE_NOT_ENABLED' },
  })
  expect((await server.client().send(readCatalogue)).status).toBe(401)
})

test.each(catalogue)('$event is written in capitals, and its example fits its schema', entry => {
  const { event, when, schema, schemaVersion, scope, example } = entry
  expect(event).toMatch(/^[A-Z]+(_[A-Z]+)*$/)
  expect(when.length).toBeGreaterThan(10)
  const promised = events[event as keyof typeof events] as unknown as ForApplications
  expect([scope, schemaVersion, example.meta]).toEqual([
    promised.scope,
    promised.schemaVersion,
    { schemaVersion },
  ])
  // examples must not have unknown fields
  const strict = { ...schema, additionalProperties: false }
  const fits = addFormats.default(new Ajv.default()).addFormat('currency', isCurrency).compile(strict)
  expect([fits(example.data), fits.errors]).toEqual([true, null])
  expect(Object.keys(example)).toEqual(['event', 'timestamp', 'app', 'data', 'meta'])
})
