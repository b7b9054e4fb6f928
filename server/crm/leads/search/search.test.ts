import { afterAll, beforeAll, expect, test } from 'vitest'
import { searchLeads, updateLead } from '#contract/crm/leads.ts'
import { limits } from '#contract/limits.ts'
import { makeLead, setStatus } from '#tests/support/crm/leads-and-clients.ts'
import { insertLeads } from '#tests/support/crm/many-leads.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { secondsAgo } from '#tests/support/rows.ts'
import { expectEachFinds } from '#tests/support/search.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let organization: Organization
let person: Person
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  person = await organization.person()
})
afterAll(() => server?.close())

const search = (q: string, more: object = {}) => person.call(searchLeads, { query: { q, ...more } })
const foundIds = async (q: string, more: object = {}) => (await search(q, more)).data.map(({ id }) => id)

test('matches parts of name, company and e-mail, ignoring case and accents', async () => {
  const { id } = await makeLead(person, {
    firstName: 'Íñigo',
    lastName: 'Núñez-Ørsted',
    company: 'Cañón & Söhne',
    email: 'Inigo.N@Example-One.test',
  })
  await expectEachFinds(
    foundIds,
    [
      'íñigo',
      'NIGO',
      'nunez',
      'Orsted',
      'canon',
      'söhne',
      '& s',
      'inigo.n@',
      'example-one',
      'ez-or',
      'inigo nunez',
      'Nuñez Iñigo',
      ' example   canon ',
      'in',
      'nu',
      'ca so',
      'in & canon sohne',
    ],
    [id],
  )
  await expectEachFinds(
    foundIds,
    ['inigo lopez', 'inigon', 'go nu canox', 'ez', '%%', 'i_igo', 'n%z', '\\\\'],
    [],
  )
})

test('treats wildcard characters literally', async () => {
  const odd = await makeLead(person, { company: '100%_pure\\gold' })
  await expectEachFinds(foundIds, ['100%', '%_pure', 'e\\gold', '100%_pure\\gold'], [odd.id])
  expect(await foundIds('%_')).toEqual([])
})

test('returns open leads, latest change first; closed ones on request', async () => {
  const [a, b, c] = [
    await makeLead(person, { lastName: 'Quixote' }),
    await makeLead(person, { lastName: 'Quixote' }),
    await makeLead(person, { lastName: 'Quixote' }),
  ]
  expect(await foundIds('quixote')).toEqual([c.id, b.id, a.id])
  await person.call(updateLead, { params: { id: a.id }, body: { stage: 'Call' } })
  await setStatus(server, organization.id, b.id, 'LOST')
  expect(await foundIds('quixote')).toEqual([a.id, c.id])
  expect(await foundIds('quixote', { includeClosed: true })).toEqual([b.id, a.id, c.id])
  const { data, pagination } = await search('quixote', { page: 2, limit: 2, includeClosed: true })
  expect([data.map(({ id }) => id), pagination]).toEqual([
    [c.id],
    { page: 2, limit: 2, total: 3, totalPages: 2, hasNextPage: false, hasPreviousPage: true },
  ])
  await person.call(updateLead, { params: { id: c.id }, body: { lastName: 'Panza' } })
  expect(await foundIds('quixote')).toEqual([a.id])
  expect(await foundIds('panza')).toEqual([c.id])
})

test('returns only leads with the given statuses, however many others changed since', async () => {
  const [lost, open] = [
    await makeLead(person, { lastName: 'Dulcinea' }),
    await makeLead(person, { lastName: 'Dulcinea' }),
  ]
  await setStatus(server, organization.id, lost.id, 'LOST')
  expect(await foundIds('dulcinea', { status: ['LOST'] })).toEqual([lost.id])
  expect(await foundIds('dulcinea', { status: ['NEW'] })).toEqual([open.id])
  expect(await foundIds('dulcinea', { status: ['NEW', 'LOST', 'NEW'] })).toEqual([lost.id, open.id])
  expect(await foundIds('dulcinea', { status: ['WON'], includeClosed: true })).toEqual([])
  const other = await person.send(searchLeads, { query: { q: 'dulcinea', status: ['SOLD' as 'WON'] } })
  expect(refusalOf(other)).toEqual([400, 'VALIDATION_ERROR'])
})

test('does not find leads of other organizations', async () => {
  const elsewhere = await (await server.organization()).person()
  await makeLead(elsewhere, { lastName: 'Rocinante' })
  expect(await foundIds('rocinante')).toEqual([])
})

test('requires two to a hundred characters without surrounding spaces', async () => {
  for (const q of ['', 'a', ' a ', 'x'.repeat(limits.leadSearch + 1)])
    expect(refusalOf(await person.send(searchLeads, { query: { q } }))).toEqual([400, 'VALIDATION_ERROR'])
  expect(refusalOf(await person.send(searchLeads, { query: {} as never }))[0]).toBe(400)
  expect(await foundIds('x'.repeat(limits.leadSearch))).toEqual([])
})

test('among many leads: finds a common term among the latest changes, a rare one anywhere', async () => {
  const crowded = await server.organization()
  const member = await crowded.person()
  const many = limits.leadSearchNewest * 3
  await insertLeads(server, crowded.id, many, n => ({
    search: ` common${n === 1 ? ' needle' : n % 20 === 0 ? ' seldom' : ''}`,
    updated_at: secondsAgo(many - n),
  }))
  const of = async (q: string) =>
    (await member.call(searchLeads, { query: { q, limit: 100 } })).pagination.total
  expect(await of('common')).toBe(limits.leadSearchNewest)
  expect(await of('seldom')).toBe(many / 20)
  expect(await of('needle')).toBe(1)
  expect(await of('ne common')).toBe(1)
})
