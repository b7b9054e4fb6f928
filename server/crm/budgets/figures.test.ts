import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Budget, computeBudgetFigures } from '#contract/crm/budgets.ts'
import { limits } from '#contract/limits.ts'
import type { Input } from '#contract/operation.ts'
import { makeBudget, setIssuer, someSections } from '#tests/support/crm/budgets.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

type Offer = Input<typeof computeBudgetFigures>['body']

let server: TestServer
let organization: Organization
let owner: Person
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
})
afterAll(() => server?.close())

const compute = (body: Offer, by = owner) => by.send(computeBudgetFigures, { body })
/** The figures of a stored budget. */
const figuresOf = ({ currency, sections, discounts, taxes, ...budget }: Budget) => ({
  currency,
  sections: sections.map(({ items }) => ({ items: items.map(({ subtotalCents }) => ({ subtotalCents })) })),
  discounts: discounts.map(({ amountCents }) => ({ amountCents })),
  taxes,
  subtotalCents: budget.subtotalCents,
  discountCents: budget.discountCents,
  taxCents: budget.taxCents,
  totalCents: budget.totalCents,
})
const offer: Offer = {
  sections: [
    ...someSections,
    {
      items: [
        {
          name: 'Third of a euro',
          quantity: '0.3333',
          unitPriceCents: 100,
          discount: { kind: 'PERCENT', value: '12.5' },
          taxes: [
            { name: 'IVA', rate: '21.0' },
            { name: 'IRPF', rate: '-15' },
          ],
        },
        { name: 'Left out', unitPriceCents: 9_900, optional: true, selected: false },
      ],
    },
  ],
  discounts: [
    { name: 'Fair', kind: 'PERCENT', value: '3.33' },
    { name: 'Round', kind: 'AMOUNT', value: 17 },
  ],
}

test('the figures are those of the stored budget, and nothing is stored', async () => {
  const stored = await makeBudget(owner, offer)
  const counts = () =>
    server.sql(`select (select count(*) from budget) as budgets, (select count(*) from outbox) as outbox,
      (select count(*) from audit) as audit`)
  await server.relayed()
  const before = await counts()
  const { status, body } = await compute(offer)
  expect(status).toBe(200)
  expect(body).toEqual(figuresOf(stored))
  await server.relayed()
  expect(await counts()).toEqual(before)
})

test('without lines everything is zero, in the currency of the issuer or of the call', async () => {
  const empty = { sections: [], discounts: [], taxes: [] }
  const zero = { ...empty, subtotalCents: 0, discountCents: 0, taxCents: 0, totalCents: 0 }
  expect((await compute({})).body).toEqual({ ...zero, currency: 'eur' })
  expect((await compute({ currency: 'jpy' })).body).toEqual({ ...zero, currency: 'jpy' })
  const elsewhere = await (await server.organization()).person({ role: 'OWNER' })
  await setIssuer(elsewhere, { currency: 'usd' })
  expect((await compute({}, elsewhere)).body).toMatchObject({ currency: 'usd' })
})

test('refuses what a budget refuses, with the place', async () => {
  const item = { name: 'Work', unitPriceCents: 1_000 }
  const refused = async (body: object) => {
    const answer = await compute(body as Offer)
    return [...refusalOf(answer), (answer.body as { details?: { path: string }[] }).details?.[0]?.path]
  }
  expect(
    await refused({ sections: [{ items: [{ ...item, discount: { kind: 'AMOUNT', value: 1_001 } }] }] }),
  ).toEqual([400, 'VALIDATION_ERROR', 'sections.0.items.0.discount.value'])
  expect(await refused({ sections: [{ items: [{ ...item, quantity: '1,5' }] }] })).toEqual([
    400,
    'VALIDATION_ERROR',
    'sections.0.items.0.quantity',
  ])
  const many = Array.from({ length: limits.budgetItems / 2 + 1 }, () => item)
  expect(await refused({ sections: [{ items: many }, { items: many }] })).toEqual([
    400,
    'VALIDATION_ERROR',
    'sections',
  ])
  expect(await refused({ title: 'Offer' })).toEqual([400, 'VALIDATION_ERROR', 'title'])
})

test('needs the permission to edit', async () => {
  const viewer = await organization.person({ permissions: ['CRM_VIEW'] })
  expect(refusalOf(await compute(offer, viewer))).toEqual([403, 'PERMISSION_DENIED'])
})
