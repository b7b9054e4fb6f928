import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#platform/ids.ts'
import { plantPayer } from '#tests/support/billing/charges.ts'
import { plantInvoice } from '#tests/support/billing/invoices.ts'
import { openTestGateway, type TestGateway } from '#tests/support/billing/test-gateway.ts'
import { openPoller } from './poller.ts'

let stage: TestGateway
let userId: string
beforeAll(async () => {
  stage = await openTestGateway()
  userId = (await plantInvoice(stage, stage.app)).userId
})
afterAll(() => stage?.close())

/** A card that is due for a poll. */
async function dueCard(): Promise<string> {
  const { methodId } = await plantPayer(stage, stage.app, stage.accountId, userId, {
    gatewayMethodId: `pm_${newId()}`,
  })
  await stage.sql(`update payment_method set status = 'INACTIVE', next_poll_at = now() where id = $1`, [
    methodId,
  ])
  return methodId
}

test('a gateway that does not answer delays no rows of other gateways', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  const silent = new Set([await dueCard(), await dueCard()])
  const looked: string[] = []
  const recovery = openPoller(stage.context, 'payment_method', async ({ id }) => {
    if (silent.has(id)) await answered
    looked.push(id)
  })
  expect(await recovery.pollDue()).toBe(2)
  const others = await Promise.all(Array.from({ length: 20 }, dueCard))
  expect(await recovery.pollDue()).toBe(20)
  // the last ones are still in progress
  await expect.poll(() => looked.length).toBe(20)
  expect(new Set(looked)).toEqual(new Set(others))
  answer()
  await recovery.idle()
  expect(looked).toHaveLength(22)
})

test('no poll starts once the worker closes', async () => {
  await dueCard()
  const recovery = openPoller(stage.context, 'payment_method', () => Promise.resolve())
  expect(await recovery.pollDue(() => true)).toBe(0)
  expect(await recovery.pollDue()).toBe(1)
  await recovery.idle()
})
