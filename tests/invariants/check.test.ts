import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AuthKind, operation, pathAt } from '#contract/operation.ts'
import { Type } from '#contract/type.ts'
import { openCallRateLimiter } from '#platform/http/call-rate-limit.ts'
import type { Caller } from '#platform/http/caller.ts'
import { failOnContractBreach } from '#platform/http/contract-check.ts'
import { query } from '#platform/http/operation.ts'
import { openLog } from '#platform/log.ts'
import { openMetrics } from '#platform/metrics.ts'
import { buildApp } from '#server/app.ts'

// one operation with every check for every kind of caller: auth.test.ts uses the real ones, which have fewer
const guarded = operation('POST /guarded', {
  area: 'tried',
  summary: 'Has every gate',
  auth: {
    session: { permission: 'STUDIO_VIEW' },
    apiKey: { scope: 'studio:assets:read' },
    personalToken: { permission: 'STUDIO_VIEW' },
    personalTokenInUrl: { permission: 'STUDIO_VIEW' },
    operator: true,
  },
  module: 'crm',
  capability: 'crm.leads',
  feature: 'marketplace',
  body: { text: Type.String({ maxLength: 10 }) },
  reply: Type.Object({}),
})

const gates = ['credential', 'suspended', 'module', 'capability', 'feature', 'right', 'input'] as const
type Gate = (typeof gates)[number]
const codes: Record<Gate, [status: number, code: string | undefined]> = {
  credential: [401, undefined],
  suspended: [403, 'ORGANIZATION_SUSPENDED'],
  module: [403, 'MODULE_NOT_ENABLED'],
  capability: [403, 'CAPABILITY_NOT_ENABLED'],
  feature: [403, 'FEATURE_NOT_ENABLED'],
  right: [403, 'PERMISSION_DENIED'],
  input: [400, 'VALIDATION_ERROR'],
}
/** Every set of checks that a caller can fail. */
const sets = Array.from({ length: 2 ** gates.length }, (_, bits) =>
  gates.filter((_gate, at) => bits & (1 << at)),
)

function callerWho(auth: AuthKind, fails: (gate: Gate) => boolean): Caller {
  return {
    auth,
    organizationId: 'corganization',
    plan: 'ENTERPRISE',
    modules: new Set(fails('module') ? [] : ['crm']),
    capabilities: new Set(fails('capability') ? [] : ['crm.leads']),
    features: new Set(fails('feature') ? [] : ['marketplace']),
    personId: 'cperson',
    sessionId: 'csession',
    applicationId: auth === 'apiKey' ? 'capplication' : null,
    permissions: new Set(fails('right') ? [] : ['STUDIO_VIEW']),
    scopes: new Set(fails('right') ? [] : ['studio:assets:read']),
    isAdministrator: false,
    isOwner: false,
    isOperator: !fails('right'),
    isSuspended: fails('suspended'),
    departmentIds: [],
    workspaceIds: [],
    groupIds: [],
  }
}

let caller: Caller | undefined
let app: Awaited<ReturnType<typeof buildApp>>
beforeAll(async () => {
  app = await buildApp({
    log: openLog('silent', 'gates'),
    metrics: openMetrics(),
    trustProxy: false,
    isReady: async () => true,
    served: Object.keys(guarded.auth).map(auth =>
      query(
        { ...guarded, area: `tried-${auth}`, auth: { [auth]: guarded.auth[auth as AuthKind] } },
        async () => ({}),
      ),
    ),
    contractCheck: failOnContractBreach(),
    admission: {
      services: { database: { of: () => ({}) } } as never,
      callRateLimiter: openCallRateLimiter(0),
      authenticate: {
        person: () => caller,
        stream: () => caller,
        session: () => caller,
        application: () => caller,
        tool: () => caller,
        toolByAddress: () => caller,
      },
    },
  })
})
afterAll(() => app?.close())

test.each(Object.keys(guarded.auth) as AuthKind[])(
  'for %s, the first failed check returns its code',
  async auth => {
    for (const failing of sets) {
      const fails = (gate: Gate) => failing.includes(gate)
      caller = fails('credential') ? undefined : callerWho(auth, fails)
      const answer = await app.inject({
        method: 'POST',
        url: pathAt(auth, { ...guarded, area: `tried-${auth}` }),
        headers: { authorization: 'Bearer x', 'x-api-key': 'x', 'content-type': 'application/json' },
        body: JSON.stringify({ text: fails('input') ? 'far too long' : 'short' }),
      })
      const [status, code] = failing[0] ? codes[failing[0]] : [200, undefined]
      const right = auth === 'apiKey' && code === 'PERMISSION_DENIED' ? 'INSUFFICIENT_SCOPE' : code
      expect([failing, answer.statusCode, answer.json().errorCode]).toEqual([failing, status, right])
    }
  },
)
