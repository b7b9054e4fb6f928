import { afterAll, beforeAll, expect, test } from 'vitest'
import { listInvoices } from '#contract/billing/invoices.ts'
import { listAllCharges, listAllPayments, listAllRefunds } from '#contract/billing/movements.ts'
import { limits } from '#contract/limits.ts'
import type { Operation } from '#contract/operation.ts'
import { plantManyInvoices } from '#tests/support/billing/many-invoices.ts'
import { crowd } from '#tests/support/crowd.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'

// decision 0019: filters and orders that examine as many rows as limits.billingRowsExamined, of which few or none match

let server: TestServer
let owner: Person
beforeAll(async () => {
  server = await startTestServer()
  const { organization } = await plantManyInvoices(server, limits.billingRowsExamined)
  owner = await organization.person({ role: 'OWNER' })
}, 300_000)
afterAll(() => server?.close())

const oneDay = { dueFrom: '2026-02-03', dueTo: '2026-02-03' }
const never = { dueFrom: '2020-01-01', dueTo: '2020-01-02' }
const amount = { search: '12345' }
const noAmount = { search: '999999999' }
const movements = [
  { currency: 'usd' },
  { currency: 'gbp' },
  amount,
  noAmount,
  { ...noAmount, currency: 'gbp' },
]
const lists: [Operation, object[]][] = [
  [
    listInvoices,
    [
      oneDay,
      never,
      { ...oneDay, orderBy: 'dueDate' },
      { ...oneDay, orderBy: 'number' },
      { ...never, orderBy: 'number' },
      { ...never, status: 'PAID' },
      { orderBy: 'dueDate' },
      { orderBy: 'totalCents' },
      amount,
      noAmount,
      { ...amount, orderBy: 'number' },
    ],
  ],
  [listAllPayments, [...movements, { status: 'DISPUTED' }, { method: 'CASH' }]],
  [listAllCharges, [...movements, { status: 'SUCCEEDED' }, { status: 'REQUIRES_ACTION' }]],
  [listAllRefunds, [...movements, { status: 'PENDING' }]],
]

const cases = lists.flatMap(([operation, queries]) =>
  queries.map(query => ({ operation, path: operation.path, query })),
)
test.each(cases)('$path of $query: at most 200 ms', async ({ operation, query }) => {
  const times: number[] = []
  for (let n = 0; n < 15; n++) {
    const startedAt = performance.now()
    const { status } = await owner.send(operation, { query } as never)
    times.push(performance.now() - startedAt)
    expect(status).toBe(200)
  }
  // the first answers choose the plan of the statement
  const [, , , , medianMs] = times.slice(6).sort((a, b) => a - b)
  expect(medianMs).toBeLessThan(200 * crowd())
})
