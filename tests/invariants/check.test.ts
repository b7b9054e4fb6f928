import Type from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Door, endpoint, pathAt } from '#contract/operation.ts'
import { ceilings } from '#platform/http/call-rate-limit.ts'
import type { Caller } from '#platform/http/caller.ts'
import { watchStrictly } from '#platform/http/contract-check.ts'
import { reads } from '#platform/http/operation.ts'
import { openLog } from '#platform/log.ts'
import { openMetrics } from '#platform/metrics.ts'
import { buildApp } from '#server/app.ts'

// one operation with every gate at every door that has some: doors.test.ts asks the real ones, which have fewer
const guarded = endpoint('POST /guarded', {
  area: 'tried',
  summary: 'Has every gate',
  doors: {
    people: { permission: 'STUDIO_VIEW' },
    application: { scope: 'studio:assets:read' },
    tool: { permission: 'STUDIO_VIEW' },
    toolByAddress: { permission: 'STUDIO_VIEW' },
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
/** Every set of gates that somebody can fail at. */
const sets = Array.from({ length: 2 ** gates.length }, (_, bits) =>
  gates.filter((_gate, at) => bits & (1 << at)),
)

function callerWho(door: Door, fails: (gate: Gate) => boolean): Caller {
  return {
    door,
    organizationId: 'corganization',
    plan: 'ENTERPRISE',
    modules: new Set(fails('module') ? [] : ['crm']),
    capabilities: new Set(fails('capability') ? [] : ['crm.leads']),
    features: new Set(fails('feature') ? [] : ['marketplace']),
    personId: 'cperson',
    sessionId: 'csession',
    applicationId: door === 'application' ? 'capplication' : null,
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
    served: Object.keys(guarded.doors).map(door =>
      reads(
        { ...guarded, area: `tried-${door}`, doors: { [door]: guarded.doors[door as Door] } },
        async () => ({}),
      ),
    ),
    watch: watchStrictly(),
    gate: {
      world: { database: { of: () => ({}) } } as never,
      ceilings: ceilings(0),
      recognise: {
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

test.each(Object.keys(guarded.doors) as Door[])(
  'at the door of %s the first gate that fails gives its code',
  async door => {
    for (const failing of sets) {
      const fails = (gate: Gate) => failing.includes(gate)
      caller = fails('credential') ? undefined : callerWho(door, fails)
      const answer = await app.inject({
        method: 'POST',
        url: pathAt(door, { ...guarded, area: `tried-${door}` }),
        headers: { authorization: 'Bearer x', 'x-api-key': 'x', 'content-type': 'application/json' },
        body: JSON.stringify({ text: fails('input') ? 'far too long' : 'short' }),
      })
      const [status, code] = failing[0] ? codes[failing[0]] : [200, undefined]
      const right = door === 'application' && code === 'PERMISSION_DENIED' ? 'INSUFFICIENT_SCOPE' : code
      expect([failing, answer.statusCode, answer.json().errorCode]).toEqual([failing, status, right])
    }
  },
)
