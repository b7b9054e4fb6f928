import { expect, it } from 'vitest'
import { planIncludes } from '#contract/permissions.ts'
import { partsOfPlan } from './plan.rules.ts'

const statesOf = (parts: ReturnType<typeof partsOfPlan>) =>
  Object.fromEntries(parts.map(({ id, state, from }) => [id, state === 'lacking' ? from : state]))

it('shows what a plan includes, and the smallest plan that has the rest', () => {
  expect(statesOf(partsOfPlan({ plan: 'TEAM', ...planIncludes.TEAM }))).toEqual({
    studio: 'included',
    integrations: 'included',
    crm: 'included',
    finance: 'BUSINESS',
    card_payments: 'ENTERPRISE',
    'crm.leads': 'BUSINESS',
    'finance.direct_debit': 'ENTERPRISE',
  })
})

it('shows the exceptions of the operator', () => {
  const parts = partsOfPlan({
    plan: 'TEAM',
    modules: ['studio', 'crm', 'finance'],
    capabilities: ['crm.leads'],
  })
  expect(statesOf(parts)).toMatchObject({
    integrations: 'removed',
    finance: 'added',
    'crm.leads': 'added',
    card_payments: 'ENTERPRISE',
  })
})
