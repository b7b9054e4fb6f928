import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lockPerson, updateOperatedOrganization } from '#contract/identity/operator.ts'
import { removeMember } from '#contract/identity/organization.ts'
import { listPersonalTokens, revokePersonalToken } from '#contract/identity/personal-tokens.ts'
import { updateRole } from '#contract/identity/roles.ts'
import type { Api } from '#server/api.ts'
import { crowd } from '#tests/support/crowd.ts'
import { only } from '#tests/support/elements.ts'
import { addressFor, makeToken } from '#tests/support/identity/personal-tokens.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

const limitMs = 2_000
const reason = 'because the test wants to see it happen'

let server: TestServer
let other: Api
beforeAll(async () => {
  server = await startTestServer()
  other = await server.anotherApi()
})
afterAll(() => server?.close())

type Look = () => Promise<string>

/** Makes a change on one process and returns how long the other one still answers as before. */
async function untilSeen(look: Look, change: () => Promise<unknown>, expected: string): Promise<number> {
  // known there by now, so that what is remembered has to be forgotten
  for (let times = 0; times < 3; times++) expect(await look()).toBe('200')
  await change()
  const startedAt = performance.now()
  for (;;) {
    const seen = await look()
    const ms = performance.now() - startedAt
    if (seen === expected) return ms
    if (ms > 2 * limitMs) throw new Error(`still ${seen} after ${Math.round(ms)} ms`)
    await new Promise(resolve => setTimeout(resolve, 25))
  }
}

/** The answer of the other process: the code of a refusal, else the status. */
async function answerOf(path: string, init: RequestInit = {}): Promise<string> {
  const answer = await fetch(`${other.url}${path}`, init)
  const body = (await answer.json()) as { errorCode?: string }
  return answer.status === 401 ? '401' : (body.errorCode ?? String(answer.status))
}

const ways: [way: string, look: (token: string) => Promise<Look>][] = [
  [
    'the Model Context Protocol',
    async token => () =>
      answerOf('/mcp', {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      }),
  ],
  [
    'the marketplace, with the token as password',
    async token => {
      const headers = { Authorization: `Basic ${Buffer.from(`patio:${token}`).toString('base64')}` }
      return () => answerOf('/.claude-plugin/marketplace.json', { headers })
    },
  ],
  [
    'an address for installers',
    async token => {
      const path = `/t/${await addressFor(server, token)}/.well-known/agent-skills/index.json`
      return () => answerOf(path)
    },
  ],
]

type Case = { house: Organization; boss: Person; who: Person }
const operated = async ({ house }: Case, body: object) =>
  (await server.operator()).call(updateOperatedOrganization, { params: { id: house.id }, body })

const changes: [what: string, expected: string, change: (given: Case) => Promise<unknown>][] = [
  [
    'a token was revoked',
    '401',
    async ({ who }) => {
      const token = only((await who.call(listPersonalTokens)).items)
      await who.call(revokePersonalToken, { params: { id: token.id } })
    },
  ],
  [
    'the role of its person may do less',
    'PERMISSION_DENIED',
    async ({ boss, who }) => {
      const row = only(
        await server.sql<{ id: string }>('select custom_role_id as id from membership where person_id = $1', [
          who.id,
        ]),
      )
      await boss.call(updateRole, { params: { id: row.id }, body: { permissions: [] } })
    },
  ],
  [
    'its person was removed',
    '401',
    ({ boss, who }) => boss.call(removeMember, { params: { personId: who.id } }),
  ],
  [
    'its person was locked out',
    '401',
    async ({ who }) =>
      (await server.operator()).call(lockPerson, { params: { id: who.id }, body: { reason } }),
  ],
  [
    'its organization was suspended',
    'ORGANIZATION_SUSPENDED',
    given => operated(given, { suspended: true, reason }),
  ],
  [
    'its organization has the studio no more',
    'MODULE_NOT_ENABLED',
    given => operated(given, { modulesRemoved: ['studio'] }),
  ],
]

describe.each(ways)('another process sees within two seconds at %s', (_way, look) => {
  test.concurrent.each(changes)('that %s', async (_what, expected, change) => {
    const house = await server.organization()
    const boss = await house.person({ role: 'OWNER' })
    const who = await house.person({ permissions: ['STUDIO_VIEW'] })
    const asks = await look(await makeToken(who))
    expect(await untilSeen(asks, () => change({ house, boss, who }), expected)).toBeLessThan(
      limitMs * crowd(),
    )
  })
})
