import { expect, test } from 'vitest'
import { invoiceEvents } from './invoice-events.ts'

test('everything that happened is in one history, the newest first, and each movement of money once', () => {
  const invoice = {
    id: 'i',
    createdAt: '2026-11-01T10:00:00.000Z',
    issuedAt: '2026-11-01T10:00:00.000Z',
    voidedAt: null,
    payments: [{ id: 'p', method: 'GATEWAY_CARD', reference: null }],
  }
  const movements = {
    charges: [
      {
        id: 'c1',
        status: 'FAILED',
        createdAt: '2026-11-03T10:00:00.000Z',
        endedAt: '2026-11-03T10:01:00.000Z',
      },
      {
        id: 'c2',
        status: 'SUCCEEDED',
        createdAt: '2026-11-04T10:00:00.000Z',
        endedAt: '2026-11-04T10:01:00.000Z',
      },
    ],
    refunds: [
      { id: 'r1', status: 'SUCCEEDED', createdAt: '2026-11-05T10:00:00.000Z' },
      { id: 'r2', status: 'PENDING', createdAt: '2026-11-06T10:00:00.000Z' },
    ],
    deliveries: [{ id: 'd', createdAt: '2026-11-02T10:00:00.000Z', endedAt: null }],
    links: [{ id: 'l', createdAt: '2026-11-02T09:00:00.000Z', revokedAt: '2026-11-07T10:00:00.000Z' }],
    reminders: [
      { days: 7, createdAt: '2026-11-08T10:00:00.000Z', sentAt: '2026-11-08T10:00:01.000Z' },
      { days: 14, createdAt: '2026-11-15T10:00:00.000Z', sentAt: null },
    ],
    ledger: [
      { id: 'e1', paymentId: 'p', at: '2026-11-04T10:01:00.000Z' },
      { id: 'e2', paymentId: 'p', at: '2026-11-05T10:00:00.000Z' },
    ],
  }
  type Input = Parameters<typeof invoiceEvents>
  const events = invoiceEvents(invoice as unknown as Input[0], movements as unknown as Input[1])
  expect(events.map(({ id, kind }) => `${kind} ${id}`)).toEqual([
    'reminded i reminded 7',
    'linkRevoked l revoked',
    'refund r2',
    'money e2',
    'money e1',
    'charge c1',
    'mailed d',
    'linkMade l',
    'issued i issued',
    'created i created',
  ])
  expect(events.find(({ id }) => id === 'e1')).toMatchObject({ method: 'GATEWAY_CARD' })
})
