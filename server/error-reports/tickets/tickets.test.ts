import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createErrorTicket,
  readErrorGroup,
  resolveErrorGroup,
  updateErrorSettings,
} from '#contract/error-reports/tab.ts'
import { listErrorTickets, readErrorTicket, updateErrorTicket } from '#contract/error-reports/tickets.ts'
import { firstOf } from '#tests/support/elements.ts'
import { createReportedError, errorEventsOf, reportTestError } from '#tests/support/error-reports/reports.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

async function withTicket() {
  const organization = await server.organization()
  const { source, person, params } = await createReportedError(server, organization)
  const ticket = await person.call(createErrorTicket, { params, body: {} })
  const place = { id: source.id, ticketId: ticket.id }
  return {
    organization,
    source,
    person,
    params,
    ticket,
    set: (body: object) => person.send(updateErrorTicket, { params: place, body }),
    read: () => person.call(readErrorTicket, { params: place }),
    error: () => person.call(readErrorGroup, { params }),
  }
}

test('a ticket and its error are linked; an error has one open ticket', async () => {
  const { person, params, source, ticket, error, set, read } = await withTicket()
  expect(ticket).toEqual({
    id: expect.any(String),
    applicationId: source.id,
    errorId: params.errorId,
    title: 'It broke',
    note: null,
    status: 'OPEN',
    createdBy: { id: person.id, name: 'Ada Marsh' },
    closedAt: null,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  })
  expect(await error()).toMatchObject({ ticketId: ticket.id, ticket: { id: ticket.id, status: 'OPEN' } })
  expect((await error()).history[0]).toMatchObject({ action: 'TICKET_CREATED', note: ticket.id })
  expect(refusalOf(await person.send(createErrorTicket, { params, body: {} }))).toEqual([
    409,
    'TICKET_EXISTS',
  ])
  expect((await error()).ticketId).toBe(ticket.id)
  expect((await set({ status: 'IN_PROGRESS', note: 'Looked at', title: ' Repair it ' })).body).toMatchObject({
    status: 'IN_PROGRESS',
    note: 'Looked at',
    title: 'Repair it',
    closedAt: null,
  })
  expect((await set({ status: 'DISMISSED' })).body).toMatchObject({
    closedAt: expect.any(String),
    note: 'Looked at',
  })
  expect((await set({ note: null })).body).toMatchObject({ status: 'DISMISSED', note: null })
  expect((await read()).status).toBe('DISMISSED')

  const second = await person.call(createErrorTicket, { params, body: { title: 'Again', note: 'n' } })
  expect(await error()).toMatchObject({ ticketId: second.id })
  expect(refusalOf(await set({ status: 'OPEN' }))).toEqual([409, 'TICKET_EXISTS'])
  const list = async (query = {}) =>
    (await person.call(listErrorTickets, { params: { id: source.id }, query })).items.map(({ id }) => id)
  expect(await list()).toEqual([second.id, ticket.id])
  expect(await list({ status: 'DISMISSED' })).toEqual([ticket.id])
  expect(await list({ status: 'DONE' })).toEqual([])
})

test('concurrent requests create one ticket', async () => {
  const { person, params, set } = await withTicket()
  await set({ status: 'DONE' })
  const made = await Promise.all([1, 2, 3].map(() => person.send(createErrorTicket, { params, body: {} })))
  expect(made.map(({ status }) => status).sort()).toEqual([201, 409, 409])
})

test('a ticket that is DONE resolves its error if the setting says so', async () => {
  const { organization, person, source, set, error } = await withTicket()
  await set({ status: 'DONE' })
  expect((await error()).state).toBe('UNRESOLVED')
  await set({ status: 'OPEN' })
  await person.call(updateErrorSettings, { params: { id: source.id }, body: { resolveWithTicket: true } })
  await set({ status: 'DISMISSED' })
  expect((await error()).state).toBe('UNRESOLVED')
  await set({ status: 'DONE' })
  expect((await error()).state).toBe('RESOLVED')
  const events = await errorEventsOf(server, organization.id)
  expect(events.map(({ name }) => name)).toEqual(['ERROR_REPORTED', 'ERROR_RESOLVED'])
})

test.each([
  ['REOPEN', 1, 'OPEN'],
  ['NEW', 2, 'DONE'],
  ['NOTHING', 1, 'DONE'],
] as const)('a regression with the setting %s', async (ticketOnRegression, tickets, status) => {
  const { person, params, source, ticket, set, error, read } = await withTicket()
  await person.call(updateErrorSettings, { params: { id: source.id }, body: { ticketOnRegression } })
  await set({ status: 'DONE' })
  await person.call(resolveErrorGroup, { params, body: {} })
  await reportTestError(source)
  expect((await read()).status).toBe(status)
  const { items } = await person.call(listErrorTickets, { params: { id: source.id } })
  expect(items).toHaveLength(tickets)
  const now = await error()
  const expectedAction = { REOPEN: 'TICKET_REOPENED', NEW: 'TICKET_CREATED', NOTHING: 'REGRESSED' }[
    ticketOnRegression
  ]
  expect(now.history.slice(0, 2).map(({ action }) => action)).toContain(expectedAction)
  if (ticketOnRegression === 'NEW') {
    expect(items[0]).toMatchObject({ title: 'Came back: It broke', createdBy: null, status: 'OPEN' })
    expect(now.ticketId).toBe(firstOf(items).id)
  } else expect(now.ticketId).toBe(ticket.id)
})

test('an open ticket stays unchanged when the error comes back', async () => {
  const { person, params, source, set, read } = await withTicket()
  await person.call(updateErrorSettings, { params: { id: source.id }, body: { ticketOnRegression: 'NEW' } })
  await set({ status: 'IN_PROGRESS' })
  await person.call(resolveErrorGroup, { params, body: {} })
  await reportTestError(source)
  expect((await read()).status).toBe('IN_PROGRESS')
  expect((await person.call(listErrorTickets, { params: { id: source.id } })).total).toBe(1)
})

test('authorization', async () => {
  const { organization, person, source, ticket, params } = await withTicket()
  const elsewhere = await (await server.organization()).person({ role: 'OWNER' })
  const plain = await organization.person()
  const place = { id: source.id, ticketId: ticket.id }
  const unknown = { id: 'cmhz3k8q1x7v2b5n9m4d6f8gh', ticketId: 'cmhz3k8q1x7v2b5n9m4d6f8gh' }
  expect((await plain.send(readErrorTicket, { params: place })).status).toBe(403)
  expect((await plain.send(createErrorTicket, { params, body: {} })).status).toBe(403)
  const [foreign, none] = [
    await elsewhere.send(readErrorTicket, { params: place }),
    await elsewhere.send(readErrorTicket, { params: unknown }),
  ]
  expect([foreign.status, foreign.text]).toEqual([404, none.text])
  const missing = { id: source.id, ticketId: unknown.ticketId }
  expect(refusalOf(await person.send(readErrorTicket, { params: missing }))).toEqual([
    404,
    'TICKET_NOT_FOUND',
  ])
  expect(refusalOf(await person.send(updateErrorTicket, { params: missing, body: {} }))).toEqual([
    404,
    'TICKET_NOT_FOUND',
  ])
  expect((await person.send(createErrorTicket, { params, body: { title: ' ' } })).status).toBe(400)
})
