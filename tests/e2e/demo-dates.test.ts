import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { listInvoices, readInvoice } from '#contract/billing/invoices.ts'
import { listOwnChannels } from '#contract/chat/channels.ts'
import { listMessages } from '#contract/chat/messages.ts'
import { listBudgets, readBudget } from '#contract/crm/budgets.ts'
import { listLeads, readLead } from '#contract/crm/leads.ts'
import { areas } from '#server/areas.ts'
import { seedDemo } from '#server/identity/area.ts'
import { clientOf } from '#tests/faults/demo.ts'
import { firstOf } from '#tests/support/elements.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

/** The hardest day for months: 30 days before it the month is the same. */
const plantedAt = new Date('2025-03-31T12:00:00Z')
const spanishMonths =
  /\b(enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)\b/gi
const seasons = /\b(spring|summer|autumn|winter|primavera|verano|otoño|invierno)\b/gi

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

async function demoPlantedAt(date: Date) {
  vi.useFakeTimers({ toFake: ['Date'], now: date })
  try {
    const { services, identity } = server.api
    const seeds = areas.flatMap(({ seed }) => (seed ? [seed(services)] : []))
    const { organizations } = await seedDemo(services.database, identity.signIn, seeds)
    return firstOf(organizations)
  } finally {
    vi.useRealTimers()
  }
}

test('the demo knows no date but those around the day on which it is planted', async () => {
  const { people } = await demoPlantedAt(plantedAt)
  const owner = await clientOf(server.url, firstOf(people))
  const { data } = await owner.call(listInvoices, { query: { limit: 100 } })
  const invoices = await Promise.all(data.map(({ id }) => owner.call(readInvoice, { params: { id } })))
  const subscriptions = invoices.filter(
    ({ isSubscription, rectifiesInvoiceId }) => isSubscription && rectifiesInvoiceId === null,
  )
  const datesAndMonths = subscriptions.map(
    ({ issueDate, lines }) => `${issueDate} ${firstOf(lines).description}`,
  )
  expect(datesAndMonths.sort()).toEqual([
    '2025-01-01 Plan Estudio, enero de 2025',
    '2025-02-01 Plan Estudio, febrero de 2025',
    '2025-03-31 Plan Estudio, marzo de 2025',
    'null Plan Estudio, marzo de 2025',
  ])

  const budgets = await owner.call(listBudgets, { query: {} })
  const offers = await Promise.all(budgets.items.map(({ id }) => owner.call(readBudget, { params: { id } })))
  const leads = await owner.call(listLeads, { query: { limit: 100 } })
  const known = await Promise.all(leads.data.map(({ id }) => owner.call(readLead, { params: { id } })))
  const channels = await owner.call(listOwnChannels, { query: {} })
  const messages = await Promise.all(
    channels.items.map(({ id }) => owner.call(listMessages, { params: { id }, query: {} })),
  )

  const texts = textsIn([invoices, offers, known, messages]).join('\n')
  expect(texts).toContain('Mantenimiento de la web, 2026')
  const years = new Set(texts.match(/\b(19|20)\d\d\b/g))
  expect(years).toEqual(new Set(['2025', '2026']))
  expect(new Set(texts.match(spanishMonths))).toEqual(new Set(['enero', 'febrero', 'marzo']))
  expect(texts.match(seasons)).toBeNull()
})

/** The texts in JSON that people wrote: no ids, no dates of the contract, and no numbers of budgets and invoices. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string')
    return /^(\d{4}-\d\d-\d\d(T.*)?|\S{25,}|\S*\d{4}-\d{4,}\S*)$/.test(value) ? [] : [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}
