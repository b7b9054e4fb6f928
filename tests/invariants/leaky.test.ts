import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Operation, operation, pathAt } from '#contract/operation.ts'
import { Id, Name } from '#contract/shapes.ts'
import { Type } from '#contract/type.ts'
import { crossTenantSql } from '#platform/data/statement.ts'
import { fail } from '#platform/fail.ts'
import { openCallRateLimiter } from '#platform/http/call-rate-limit.ts'
import { warnOnContractBreach } from '#platform/http/contract-check.ts'
import { query, type ServedOperation, workflow } from '#platform/http/operation.ts'
import { openLog } from '#platform/log.ts'
import { openMetrics } from '#platform/metrics.ts'
import { buildApp } from '#server/app.ts'
import { firstOf } from '#tests/support/elements.ts'
import { insertRows } from '#tests/support/rows.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import type { Call } from './ask.ts'
import { type Home, openHome } from './home.ts'
import type { OperationCase } from './operations.ts'
import { cross, idsOf, marksIn, type ReceivedReply } from './tenants.ts'

// operations that leak in each known way: the test must find every one of them
const people = { session: { permission: null } } as const
const one = {
  area: 'leaky',
  auth: people,
  params: { id: Id },
  errors: ['ROLE_NOT_FOUND', 'NAME_TAKEN'],
} as const
const Seen = Type.Object({ id: Type.String(), name: Type.String() })
const about = (summary: string) => ({ ...one, summary, reply: Seen })

const readRole = crossTenantSql<{ id: string; name: string; organization_id: string }, { id: string }>(
  'leaks on purpose',
  'select id, name, organization_id from role where id = $id',
)
const renameRole = crossTenantSql<{ id: string }, { id: string }>(
  'leaks on purpose',
  `update role set name = name || '!' where id = $id returning id`,
)
const roleNamed = crossTenantSql<{ id: string }, { name: string }>(
  'leaks on purpose',
  'select id from role where name = $name',
)

const leaky: Record<string, { served: ServedOperation; calls: (home: Home) => Promise<Call[]> }> = {
  'shows a row of another organization': {
    served: query(operation('GET /read/:id', about('Reads any role')), async ({ params, services }) => {
      return (
        (await services.database.crossTenant.first(readRole, { id: params.id })) ?? fail('ROLE_NOT_FOUND')
      )
    }),
    calls: async home => [{ params: { id: await home.make.role() } }],
  },
  'answers 403 where it should answer 404': {
    served: query(
      operation('GET /forbidden/:id', about('Tells that there is such a role')),
      async ({ params, caller, services }) => {
        const row =
          (await services.database.crossTenant.first(readRole, { id: params.id })) ?? fail('ROLE_NOT_FOUND')
        if (row.organization_id !== caller.organizationId) fail('PERMISSION_DENIED')
        return row
      },
    ),
    calls: async home => [{ params: { id: await home.make.role() } }],
  },
  'tells more in the body of its 404': {
    served: query(
      operation('GET /chatty/:id', about('Names what it will not show')),
      async ({ params, caller, services }) => {
        const row = await services.database.crossTenant.first(readRole, { id: params.id })
        if (row?.organization_id !== caller.organizationId)
          fail('ROLE_NOT_FOUND', row && { limit: row.name.length })
        return row
      },
    ),
    calls: async home => [{ params: { id: await home.make.role() } }],
  },
  'changes a row of another organization and says that there is none': {
    served: workflow(
      operation('POST /write/:id', about('Renames any role')),
      async ({ params, caller, services }) => {
        const row = await services.database.crossTenant.first(readRole, { id: params.id })
        await services.database.crossTenant.first(renameRole, { id: params.id })
        if (row?.organization_id !== caller.organizationId) fail('ROLE_NOT_FOUND')
        return row
      },
    ),
    calls: async home => [{ params: { id: await home.make.role() } }],
  },
  'keeps a name unique over all organizations': {
    served: query(
      operation('POST /name', {
        ...one,
        params: undefined,
        summary: 'Takes a name',
        body: { name: Name(60) },
        reply: Seen,
      }),
      async ({ body, services }) => {
        if (await services.database.crossTenant.first(roleNamed, { name: body.name })) fail('NAME_TAKEN')
        return { id: 'new', name: body.name }
      },
    ),
    async calls(home) {
      const name = home.name('Role')
      await insertRows(home.server, 'role', [{ organization_id: home.organization.id, id: name, name }])
      return [{ body: { name } }]
    },
  },
}

let server: TestServer
let home: Home
let twin: Home
let app: Awaited<ReturnType<typeof buildApp>>
let url: string
beforeAll(async () => {
  server = await startTestServer()
  home = await openHome(server)
  twin = await openHome(server)
  const log = openLog('silent', 'leaky')
  app = await buildApp({
    log,
    metrics: openMetrics(),
    trustProxy: false,
    isReady: async () => true,
    served: Object.values(leaky).map(({ served }) => served),
    contractCheck: warnOnContractBreach(log),
    admission: {
      authenticate: server.api.identity.recognise,
      callRateLimiter: openCallRateLimiter(0),
      services: server.api.services,
    },
  })
  url = await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await app?.close()
  await server?.close()
})

const operationOf = (name: string, promise: Operation): OperationCase => ({
  name,
  auth: 'session',
  route: `${promise.method} ${pathAt('session', promise)}`,
  contract: promise,
})

test.each(Object.entries(leaky))(
  'the cross-tenant test finds an operation that %s',
  async (name, { served, calls }) => {
    const replies: ReceivedReply[] = []
    const { places, leaks } = await cross(
      { url, home, twin, replies },
      operationOf(name, served.contract),
      calls,
    )
    expect(places.length).toBeGreaterThan(0)
    expect(leaks.length).toBeGreaterThan(0)
  },
)

test('a reply that carries text of another organization is found by its mark', async () => {
  const [name, { served, calls }] = firstOf(Object.entries(leaky))
  const replies: ReceivedReply[] = []
  await cross({ url, home, twin, replies }, operationOf(name, served.contract), calls)
  expect(marksIn(replies, twin, await idsOf(server, twin)).length).toBeGreaterThan(0)
  expect(marksIn(replies, home, new Set()).length).toBe(0)
})
