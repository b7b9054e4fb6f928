import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOrganization } from '#contract/identity/operator.ts'
import { getOrganization, updateOrganization } from '#contract/identity/organization.ts'
import { getSessionToken, listOwnOrganizations, readCaller } from '#contract/identity/sessions.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import { defined, itemAt } from '#tests/support/elements.ts'
import { signedInAccount } from '#tests/support/identity/sign-in.ts'
import { plantFormerAddresses } from '#tests/support/many-rows.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { insertRows, secondsAgo } from '#tests/support/rows.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { addressCandidates } from './address.rules.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test.each([
  ['Acme Studio S.L.', 'acme-studio-s-l'],
  ['Ñandú & Œuvre', 'nandu-oeuvre'],
  ['API', 'org-api'],
  ['AB', 'org-ab'],
  ['株式会社', 'org'],
  ['x'.repeat(80), 'x'.repeat(36)],
  ['c123456789012345678901234', 'org-c123456789012345678901234'],
])('%s becomes %s', (name, address) => {
  const candidates = addressCandidates(name, newId())
  expect(candidates[0]).toBe(address)
  for (const each of candidates) {
    expect(each).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    expect(each.length).toBeGreaterThanOrEqual(limits.organizationAddressMin)
    expect(each.length).toBeLessThanOrEqual(limits.organizationAddress)
  }
})

test('organizations of one name get different addresses, also at the same time', async () => {
  const operator = await server.operator()
  const opened = await Promise.all(
    Array.from({ length: 8 }, () =>
      operator.call(openOrganization, {
        body: { name: 'Same Name', plan: 'FREE', ownerEmail: 'owner@example.test' },
      }),
    ),
  )
  expect(opened.map(({ organization }) => organization.address).sort()).toEqual([
    'same-name',
    ...Array.from({ length: 7 }, (_, at) => `same-name-${at + 2}`),
  ])
})

test('one request exchanges the sign-in for a token, by address, former address or id', async () => {
  const [first, second] = [await server.organization(), await server.organization({ name: 'Second' })]
  const person = await first.person({ role: 'OWNER' })
  const owner = await second.joined(person, 'OWNER')
  const { address: former } = await owner.call(getOrganization)
  await owner.call(updateOrganization, { body: { address: 'second-home' } })
  const account = await signedInAccount(server, person)
  for (const organization of ['second-home', former, second.id]) {
    const reply = await account.call(getSessionToken, { query: { organization } })
    expect(reply.organization).toMatchObject({ id: second.id, address: 'second-home' })
    expect(await server.client(reply.token).call(readCaller)).toMatchObject({
      organizationId: second.id,
      organizationName: 'Second',
      organizationAddress: 'second-home',
    })
  }
  const { items } = await account.call(listOwnOrganizations)
  expect(items[1]).toEqual({
    id: second.id,
    name: 'Second',
    address: 'second-home',
    plan: 'ENTERPRISE',
    role: 'OWNER',
    suspended: false,
    isOperator: false,
  })
  // a stranger learns nothing of an organization by its address
  const stranger = await signedInAccount(server, await first.person())
  for (const organization of ['second-home', former, second.id, 'nobody-has-this'])
    expect(refusalOf(await stranger.send(getSessionToken, { query: { organization } }))).toEqual([
      404,
      'ORGANIZATION_NOT_FOUND',
    ])
})

test('an address belongs to one organization, also after a change', async () => {
  const owners = await Promise.all(
    ['One', 'Two'].map(async name => (await server.organization({ name })).person({ role: 'OWNER' })),
  )
  const [one, two] = owners as [(typeof owners)[0], (typeof owners)[0]]
  const move = async (owner: typeof one, address: string) => {
    const answer = await owner.send(updateOrganization, { body: { address } })
    return answer.status === 200 ? (answer.body as { address: string }).address : refusalOf(answer)
  }
  const taken = [409, 'ADDRESS_TAKEN']
  expect(await move(one, 'our-place')).toBe('our-place')
  expect(await move(two, 'our-place')).toEqual(taken)
  expect(await move(one, 'our-new-place')).toBe('our-new-place')
  expect(await move(two, 'our-place')).toEqual(taken)
  expect(await move(one, 'our-place')).toBe('our-place')
  for (const reserved of ['operator', 'sign-in', 'assets', newId()])
    expect(await move(one, reserved)).toEqual(taken)
  expect((await one.call(getOrganization)).address).toBe('our-place')
  const races = await Promise.all(owners.map(owner => move(owner, 'contested')))
  expect(races.filter(result => result === 'contested')).toHaveLength(1)
})

test('an organization has at most 20 addresses, and returns to a former one', async () => {
  const organization = await server.organization()
  const owner = await organization.person({ role: 'OWNER' })
  const { address: first } = await owner.call(getOrganization)
  await plantFormerAddresses(server, organization.id, 'mass', limits.organizationAddresses - 1)
  const move = (address: string) => owner.send(updateOrganization, { body: { address } })
  expect(refusalOf(await move('one-too-many'))).toEqual([409, 'TOO_MANY_ADDRESSES'])
  expect((await move('mass-7')).body).toMatchObject({ address: 'mass-7' })
  expect((await move(first)).body).toMatchObject({ address: first })
})

test.each(['ab', 'x'.repeat(41), 'Acme', 'acme--studio', '-acme', 'acme-', 'acmé', 'a b c'])(
  'refuses %s',
  async address => {
    const owner = await (await server.organization()).person({ role: 'OWNER' })
    expect(refusalOf(await owner.send(updateOrganization, { body: { address } }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ])
  },
)

test('the migration derives the addresses of existing organizations as the server does', async () => {
  const names = ['Ñandú & Cía.', 'API', 'AB', '株式会社', 'x'.repeat(80), 'Twice the same', 'Twice the same']
  const ids = names.map(() => newId())
  await insertRows(
    server,
    'organization',
    names.map((name, at) => ({
      id: ids[at],
      name,
      created_at: secondsAgo(-at),
    })),
  )
  const text = readFileSync('migrations/0011-people.sql', 'utf8')
  const backfill = defined(/insert into organization_address[^;]*;/.exec(text))[0]
  await server.sql(backfill.replace('from organization)', `from organization where id = any('{${ids}}'))`))
  const rows = await server.sql<{ address: string; leads_to: string }>(
    'select address, leads_to from organization_address where leads_to = any($1)',
    [ids],
  )
  const addresses = ids.map(id => rows.find(({ leads_to }) => leads_to === id)?.address)
  expect(addresses.slice(0, 6)).toEqual(names.slice(0, 6).map(name => addressCandidates(name, newId())[0]))
  expect(addresses[6]).toBe(`twice-the-same-${itemAt(ids, 6).slice(-12)}`)
})
