import { expect, test } from 'vitest'
import { usableAuthorization } from './authorization.rules.ts'
import { correctionObstacles, isLocked, nextStepOf, refundableOf } from './invoice.rules.ts'
import type { Invoice } from './invoice.ts'

type Case = Parameters<typeof correctionObstacles>
const sent = {
  status: 'SENT',
  isRectifying: false,
  totalCents: 12_100,
  dueCents: 12_100,
  paidCents: 0,
  refundedCents: 0,
  rectifiedCents: 0,
  rectifiedBy: [],
  payments: [],
  sentAt: '2026-11-19T10:00:00.000Z',
} as unknown as Invoice
const payment = (fields: object) => ({
  amountCents: 12_100,
  refundedCents: 0,
  reversedAt: null,
  paymentIntentId: 'pi_1',
  ...fields,
})
const invoice = (fields: object) => ({ ...sent, ...fields }) as unknown as Invoice
const charge = (fields: object) => [{ status: 'PROCESSING', endedAt: null, ...fields }] as unknown as Case[1]
const refund = (fields: object) => [{ status: 'PENDING', amountCents: 100, ...fields }] as unknown as Case[2]

test('the next step follows the state: issue, send, then charge with an authorization or register a payment', () => {
  expect(nextStepOf({ status: 'DRAFT', dueCents: 12_100, sentAt: null }, true)).toBe('issue')
  expect(nextStepOf({ status: 'ISSUED', dueCents: 12_100, sentAt: null }, true)).toBe('send')
  expect(nextStepOf(sent, true)).toBe('charge')
  expect(nextStepOf(sent, false)).toBe('registerPayment')
  expect(nextStepOf({ status: 'PAID', dueCents: 0, sentAt: null }, true)).toBe('none')
  expect(nextStepOf({ status: 'VOIDED', dueCents: 0, sentAt: null }, true)).toBe('none')
})

test('an invoice without money can be voided or rectified; one with money of the gateway refunded or rectified', () => {
  expect(correctionObstacles(sent, [], [])).toEqual({
    void: undefined,
    rectify: undefined,
    refund: 'nothingPaid',
  })
  const paid = invoice({ status: 'PAID', dueCents: 0, paidCents: 12_100, payments: [payment({})] })
  expect(correctionObstacles(paid, [], [])).toEqual({
    void: 'hasMoney',
    rectify: undefined,
    refund: undefined,
  })
  const byHand = invoice({ ...paid, payments: [payment({ paymentIntentId: null })] })
  expect(correctionObstacles(byHand, [], []).refund).toBe('paidByHand')
  const refunded = invoice({ ...paid, refundedCents: 12_100, payments: [payment({ refundedCents: 12_100 })] })
  expect(correctionObstacles(refunded, [], [])).toMatchObject({ void: undefined, refund: 'nothingLeft' })
})

test('what is in progress, rectified or voided says why not', () => {
  expect(correctionObstacles(sent, charge({}), []).void).toBe('locked')
  expect(correctionObstacles(sent, charge({ status: 'FAILED' }), []).void).toBeUndefined()
  const rectified = invoice({ rectifiedBy: [{ status: 'PAID' }], rectifiedCents: 12_100 })
  expect(correctionObstacles(rectified, [], [])).toMatchObject({
    void: 'isRectified',
    rectify: 'nothingLeft',
  })
  expect(correctionObstacles(invoice({ rectifiedBy: [{ status: 'DRAFT' }] }), [], []).void).toBeUndefined()
  expect(correctionObstacles(invoice({ isRectifying: true, totalCents: -100 }), [], []).rectify).toBe(
    'isRectifying',
  )
  expect(correctionObstacles(invoice({ status: 'VOIDED' }), [], [])).toMatchObject({
    void: 'voided',
    rectify: 'voided',
  })
})

test('a refund in progress reserves its amount', () => {
  const paid = invoice({ payments: [payment({ refundedCents: 2_100 }), payment({ reversedAt: 'now' })] })
  expect(refundableOf(paid, [])).toBe(10_000)
  expect(refundableOf(paid, refund({ amountCents: 4_000 }))).toBe(6_000)
  expect(refundableOf(paid, refund({ amountCents: 4_000, status: 'FAILED' }))).toBe(10_000)
  expect(correctionObstacles(paid, [], refund({ amountCents: 10_000 })).refund).toBe('refundPending')
})

test('only a charge that the gateway works on locks the invoice', () => {
  expect(isLocked(charge({}))).toBe(true)
  expect(isLocked(charge({ status: 'REQUIRES_ACTION' }))).toBe(false)
  expect(isLocked(charge({ endedAt: '2026-11-19T10:00:00.000Z' }))).toBe(false)
})

test('an authorization is used only for its currency, its invoice and its limit', () => {
  const usable = { status: 'ACTIVE', scope: 'RECURRING', currency: 'eur', limitCents: null, invoiceId: null }
  const of = (fields: object) =>
    usableAuthorization([{ ...usable, ...fields }] as unknown as Parameters<typeof usableAuthorization>[0], {
      id: 'i1',
      currency: 'eur',
      dueCents: 12_100,
    })
  expect(of({})).toBeDefined()
  expect(of({ limitCents: 12_100, scope: 'SINGLE', invoiceId: 'i1' })).toBeDefined()
  for (const fields of [
    { status: 'PENDING' },
    { currency: 'usd' },
    { limitCents: 12_099 },
    { scope: 'SINGLE', invoiceId: 'i2' },
  ])
    expect(of(fields), JSON.stringify(fields)).toBeUndefined()
})
