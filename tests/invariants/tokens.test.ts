import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lockPerson, updateOperatedOrganization } from '#contract/identity/operator.ts'
import { removeMember, updateMember } from '#contract/identity/organization.ts'
import { updateRole } from '#contract/identity/roles.ts'
import { failOnContractBreach } from '#platform/http/contract-check.ts'
import { openLog } from '#platform/log.ts'
import { type Api, openApiProcess } from '#server/api.ts'
import { crowd } from '#tests/support/crowd.ts'
import { defined, findIn, firstOf, itemAt, only } from '#tests/support/elements.ts'
import { signInToken } from '#tests/support/identity/sign-in.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'
import { type RawReply, sendRaw } from './ask.ts'
import { bearer } from './home.ts'
import { attacks, mint, type TokenAttack, type ValidToken } from './token-attacks.ts'

let server: TestServer
let other: Api
let organization: Organization
let person: Person
let stranger: Person
beforeAll(async () => {
  server = await startTestServer()
  other = await server.anotherApi()
  organization = await server.organization()
  person = await organization.person({ role: 'OWNER' })
  stranger = await (await server.organization()).person({ role: 'OWNER' })
})
afterAll(() => server?.close())

const claimsOf = ({ id, organizationId, sessionId }: Person) => ({
  sub: id,
  org: organizationId,
  sid: sessionId,
})

function good(use: 'session' | 'stream', who = person): ValidToken {
  const { kid, secret } = firstOf(server.config.sessionKeys)
  const now = Math.floor(Date.now() / 1000)
  return {
    header: { alg: 'HS256', typ: `patio-${use}+jwt`, kid },
    payload: { ...claimsOf(who), iss: 'patio', aud: use, iat: now, exp: now + 60 },
    secret,
  }
}

// the same attacks, for their names only
const nobody: ValidToken = { header: { kid: 't1' }, payload: { exp: 1 }, secret: 'of nobody' }
const names = attacks(nobody, nobody, {}).map(({ what }) => what)

const present: Record<'session' | 'stream', (token: string) => Promise<RawReply>> = {
  session: token =>
    sendRaw(server.url, { method: 'GET', path: '/api/auth/me', headers: defined(bearer(token).headers) }),
  stream: token =>
    sendRaw(server.url, {
      method: 'GET',
      path: `/api/studio/events?token=${encodeURIComponent(token)}`,
      headers: {},
    }),
}

describe.each(['session', 'stream'] as const)('a forged %s token', use => {
  test('differs from a valid one only in the forged part', async () => {
    expect(new Set(names).size).toBe(names.length)
    expect(names.length).toBeGreaterThan(100)
    const { header, payload, secret } = good(use)
    expect((await present[use](mint(header, payload, secret))).status).toBe(200)
  })

  let list: TokenAttack[]
  let usual: RawReply
  beforeAll(async () => {
    list = attacks(good(use), good(use === 'session' ? 'stream' : 'session'), claimsOf(stranger))
    usual = await present[use]('nonsense')
  })

  test.each(names)('is refused like an invalid token: %s', async name => {
    const { token } = findIn(list, ({ what }) => what === name)
    const { status, text } = await present[use](token)
    expect([status, text]).toEqual([401, usual.text])
  })
})

describe('the ring of keys', () => {
  const older = { kid: 'older', secret: 'the older key of this ring is long enough' }
  const newer = { kid: 'newer', secret: 'the newer key of this ring is long enough' }
  // the steps of a rotation: every node knows the new key before one signs with it
  const steps = [[older], [older, newer], [newer, older], [newer]]
  let nodes: Api[]
  beforeAll(async () => {
    const log = openLog('silent', 'ring')
    nodes = await Promise.all(
      steps.map(sessionKeys =>
        openApiProcess({ ...server.config, sessionKeys }, log, failOnContractBreach()),
      ),
    )
  })
  afterAll(async () => {
    await Promise.all(nodes?.map(node => node.close()) ?? [])
  })

  const signedAt = async (node: Api) => {
    const { sub, org, sid } = claimsOf(person)
    return (
      await node.identity.tokens.sign('session', { personId: sub, organizationId: org, sessionId: sid })
    ).token
  }
  const statusAt = async (node: Api, token: string) => {
    return (
      await sendRaw(node.url, {
        method: 'GET',
        path: '/api/auth/me',
        headers: defined(bearer(token).headers),
      })
    ).status
  }

  test('can be rotated step by step without refusing anybody', async () => {
    const statuses: number[] = []
    for (const [at, node] of nodes.entries()) {
      // during a step, both rings are in use
      const together = [node, nodes[at + 1] ?? node]
      const tokens = await Promise.all(together.map(signedAt))
      const requests = Array.from({ length: 25 }, () =>
        together.flatMap(to => tokens.map(token => statusAt(to, token))),
      ).flat()
      statuses.push(...(await Promise.all(requests)))
    }
    expect(statuses.length).toBe(400)
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  test('refuses tokens of a key that is not in it', async () => {
    expect(await statusAt(itemAt(nodes, 3), await signedAt(firstOf(nodes)))).toBe(401)
    expect(await statusAt(firstOf(nodes), await signedAt(itemAt(nodes, 3)))).toBe(401)
  })
})

describe('other processes see within two seconds', () => {
  const limitMs = 2_000

  /** Runs an action on one process and returns how long the other one replied as before. */
  async function untilSeen(who: Person, change: () => Promise<unknown>, expected: string): Promise<number> {
    const look = async () => {
      const answer = await who
        .at(other.url)
        .send(updateMember, { params: { personId: 'nobody' }, body: { role: 'MEMBER' } })
      const { errorCode } = answer.body as unknown as { errorCode?: string }
      return errorCode ?? String(answer.status)
    }
    // cached there, so that the cache has to be invalidated
    for (let times = 0; times < 3; times++) expect(await look()).toBe('MEMBER_NOT_FOUND')
    await change()
    const startedAt = performance.now()
    for (;;) {
      const seen = await look()
      const ms = performance.now() - startedAt
      if (seen === expected) return ms
      if (ms > 2 * limitMs * crowd()) throw new Error(`still ${seen} after ${Math.round(ms)} ms`)
      await new Promise(resolve => setTimeout(resolve, 25))
    }
  }

  const operated = async (who: Person, body: object) => {
    const operator = await server.operator()
    await operator.call(updateOperatedOrganization, { params: { id: who.organizationId }, body })
  }
  const owner = async () => (await server.organization()).person({ role: 'OWNER' })
  const reason = 'because the law wants to see it happen'

  const changes: [what: string, expected: string, run: () => Promise<[Person, () => Promise<unknown>]>][] = [
    [
      'that a session was signed out',
      '401',
      async () => {
        const who = await owner()
        const headers = { ...bearer(await signInToken(server, who)).headers, origin: server.config.publicUrl }
        return [
          who,
          async () =>
            expect(
              (await sendRaw(server.url, { method: 'POST', path: '/api/auth/sign-out', headers })).status,
            ).toBe(200),
        ]
      },
    ],
    [
      'that a role was taken away',
      'PERMISSION_DENIED',
      async () => {
        const house = await server.organization()
        const [boss, who] = [await house.person({ role: 'OWNER' }), await house.person({ role: 'ADMIN' })]
        return [
          who,
          () => boss.call(updateMember, { params: { personId: who.id }, body: { role: 'MEMBER' } }),
        ]
      },
    ],
    [
      'that a custom role may do less',
      'PERMISSION_DENIED',
      async () => {
        const house = await server.organization()
        const [boss, who] = [
          await house.person({ role: 'OWNER' }),
          await house.person({ permissions: ['ORG_MANAGE'] }),
        ]
        const row = only(
          await server.sql<{ id: string }>(
            'select custom_role_id as id from membership where person_id = $1',
            [who.id],
          ),
        )
        return [who, () => boss.call(updateRole, { params: { id: row.id }, body: { permissions: [] } })]
      },
    ],
    [
      'that a member was removed',
      '401',
      async () => {
        const house = await server.organization()
        const [boss, who] = [await house.person({ role: 'OWNER' }), await house.person({ role: 'ADMIN' })]
        return [who, () => boss.call(removeMember, { params: { personId: who.id } })]
      },
    ],
    [
      'that an organization was suspended',
      'ORGANIZATION_SUSPENDED',
      async () => {
        const who = await owner()
        return [who, () => operated(who, { suspended: true, reason })]
      },
    ],
    [
      'that a person was locked out',
      '401',
      async () => {
        const who = await owner()
        const operator = await server.operator()
        return [who, () => operator.call(lockPerson, { params: { id: who.id }, body: { reason } })]
      },
    ],
  ]

  test.concurrent.each(changes)('%s', async (_what, expected, run) => {
    const [who, change] = await run()
    expect(await untilSeen(who, change, expected)).toBeLessThan(limitMs * crowd())
  })
})
