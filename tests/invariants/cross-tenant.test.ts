import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createInvitation } from '#contract/identity/invitations.ts'
import { createRole } from '#contract/identity/roles.ts'
import { units } from '#contract/identity/units.ts'
import { permissions } from '#contract/permissions.ts'
import { createAsset } from '#contract/studio/assets.ts'
import { inTurn } from '#tests/support/elements.ts'
import { type EventStream, openStream } from '#tests/support/event-stream.ts'
import { sampleOf } from '#tests/support/sample.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { rawRequest, sendRaw } from './ask.ts'
import { callsOf } from './fixtures.ts'
import { credentialAt, type Home, openHome, streamToken } from './home.ts'
import { type OperationCase, operationCases } from './operations.ts'
import { cross, idsOf, marksIn, type ReceivedReply, rowsOf } from './tenants.ts'

// operators serve every organization, and public operations have none
const all = (await operationCases())
  .filter(({ auth }) => auth !== 'operator' && auth !== 'public')
  .map((operation, turn) => ({ ...operation, turn }))
const lists = all.filter(({ contract }) => contract.method === 'GET' && !contract.responseType)
const creations = all.filter(
  ({ contract, auth }) => contract.status === 201 && auth === 'session' && contract.path !== '/sse-token',
)

const replies: ReceivedReply[] = []
const covered: Record<string, number> = {}
let server: TestServer
let home: Home
let twin: Home
/** With every permission, and not an administrator. */
let colleague: Home
let stream: EventStream

beforeAll(async () => {
  server = await startTestServer()
  home = await openHome(server)
  twin = await openHome(server)
  colleague = { ...home, owner: await home.organization.person({ permissions: [...permissions] }) }
  for (const each of [home, twin]) await seed(each)
  stream = await openStream(`${server.url}/api/studio/events?token=${await streamToken(server, home.owner)}`)
})
afterAll(async () => {
  stream?.close()
  await server?.close()
  const places = Object.values(covered).reduce((sum, count) => sum + count, 0)
  process.stdout.write(
    `cross-tenant: 2 callers × ${Object.keys(covered).length} operations at their access, ${places} places of texts, ${replies.length} answers\n`,
  )
})

/** The same names, addresses and slugs in both, so that equality cannot hide a leak. */
async function seed({ owner, secret }: Home): Promise<void> {
  for (const { create } of units) await owner.call(create, { body: { name: 'Twin unit' } })
  await owner.call(createRole, { body: { name: 'Twin role', permissions: ['STUDIO_VIEW'] } })
  await owner.call(createInvitation, { body: { email: 'twin@example.test', role: 'MEMBER' } })
  await owner.call(createAsset, {
    body: {
      type: 'AGENT',
      name: 'Twin asset',
      bodyMarkdown: secret,
      tags: ['twin'],
      visibility: 'MARKETPLACE',
    },
  })
}

// an administrator sees the most; a person without administration gets other statements where visibility
// depends on more than permissions. An application is the same for both
const personal = ['studio', 'chat', 'org']
const people = all.filter(({ auth, contract }) => auth !== 'apiKey' && personal.includes(contract.area))
// changes use the same access functions as reads, so npm test runs one of four
const peopleSample = [
  ...people.filter(({ contract }) => contract.method === 'GET'),
  ...sampleOf(
    people.filter(({ contract }) => contract.method !== 'GET'),
    { shares: 4, turn: 0 },
  ),
]
// tests/support/codes.ts expects every declared code of these areas in each run
const proven = ['billing', 'crm']
describe.each([
  { who: 'super administrator', operations: all },
  { who: 'colleague', operations: peopleSample },
] as const)('to a $who', ({ who, operations }) => {
  test.each(operations)("$route treats another organization's objects as unknown", async operation => {
    const asker =
      who === 'colleague' ? { ...home, credential: (at: OperationCase) => credentialAt(colleague, at) } : home
    const { turn, contract } = operation
    const isSampled = !proven.includes(contract.area)
    const { places, leaks } = await cross(
      { url: server.url, home: asker, twin, replies, ...(isSampled && { turn }) },
      operation,
      each => callsOf(operation.name, each),
    )
    covered[operation.route] = places.length
    expect(leaks.join('\n')).toBe('')
  })
})

test('replies do not change when another organization gains 200 objects', async () => {
  // the audit log belongs to the caller, but reading it adds nothing to it
  const reading: {
    operation: OperationCase
    calls: Awaited<ReturnType<typeof callsOf>>
    credential: Awaited<ReturnType<Home['credential']>>
  }[] = []
  // one after the other, because some create objects that may exist only once
  for (const operation of lists) {
    const calls = await callsOf(operation.name, home)
    reading.push({ operation, calls, credential: await home.credential(operation) })
  }
  await server.relayed()
  async function readAll(): Promise<string[]> {
    const texts: string[] = []
    for (const { operation, calls, credential } of reading) {
      await server.sql('delete from rate_window')
      for (const call of calls) {
        const answer = await sendRaw(server.url, rawRequest(operation, call, credential))
        replies.push({ operation: operation.name, answer, sent: [] })
        expect([operation.route, answer.status]).toEqual([operation.route, operation.contract.status])
        // a token is new each time, and so may be the signature of a URL; the key is in use, and its reader moves on;
        // operators count the requests and submissions of all organizations, and the position of a stream the events of the marketplace
        const restless =
          /"(token|expiresAt|url|streamPosition)":"[^"]*"|"(lastUsedAt|lastSyncAt|cursorAt|behindSince)":("[^"]*"|null)|"(left|changesBehind|scopeRequests|submissions)":(\d+|null)/g
        texts.push(`${operation.route} ${answer.text.replace(restless, '')}`)
      }
    }
    return texts
  }
  async function gain(): Promise<void> {
    let gained = 0
    for (let round = 0; gained < 200; round++) {
      const operation = inTurn(creations, round)
      await server.sql('delete from rate_window')
      for (const call of await callsOf(operation.name, twin)) {
        const { status } = await sendRaw(
          server.url,
          rawRequest(operation, call, await twin.credential(operation)),
        )
        // a dry run creates nothing
        if (status === operation.contract.alternateReply?.status) continue
        expect(status).toBe(201)
        gained++
      }
    }
    await server.relayed()
  }
  const hour = () => Math.floor(Date.now() / 3_600_000)
  for (;;) {
    const startedIn = hour()
    const before = await readAll()
    await gain()
    const after = await readAll()
    // what is counted by hour moves on with the clock
    if (hour() !== startedIn) continue
    expect(after).toEqual(before)
    return
  }
})

test('no reply contains a mark or an id of another organization', async () => {
  const ids = await idsOf(server, twin)
  expect(ids.size).toBeGreaterThan(200)
  expect(marksIn(replies, twin, ids)).toEqual([])
})

test('the event stream contains nothing of another organization', async () => {
  const last = await home.make.asset()
  await stream.until(({ data }) => data?.assetId === last.id)
  const ids = await idsOf(server, twin)
  const text = JSON.stringify(stream.frames)
  expect(stream.events().length).toBeGreaterThan(50)
  expect(text).toContain(home.organization.id)
  expect([...text.matchAll(/\bc[0-9a-z]{24}\b/g)].filter(([id]) => ids.has(id))).toEqual([])
  expect(text).not.toContain(twin.secret)
})

test('the audit log names nobody of another organization', async () => {
  const [mine, theirs] = [await rowsOf(server, home), await rowsOf(server, twin)]
  expect(mine.audit).not.toBe(theirs.audit)
  const foreign = await server.sql(
    `select a.operation from audit a where a.organization_id = $1 and a.actor_id = $2
     union all select e.name from event e where e.organization_id = $1 and e.actor_id = $2`,
    [twin.organization.id, home.owner.id],
  )
  expect(foreign).toEqual([])
})
