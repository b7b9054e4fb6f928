import { afterEach, beforeEach, expect, test } from 'vitest'
import { signWebhook } from '../webhook.ts'
import { type Notice, openReceiver } from './receiver.ts'

const secret = 'whsec_of-this-test'
const secrets: string[] = []
const body = '{"event":"WEBHOOK_TEST","data":{"message":"Señal"}}'

let notices: Notice[]
let receiver: Awaited<ReturnType<typeof openReceiver>>
beforeEach(async () => {
  notices = []
  secrets.splice(0, secrets.length, secret)
  receiver = await openReceiver(secrets, notice => void notices.push(notice))
})
afterEach(() => receiver.close())

async function post(deliveryId: string, given: { by?: string; body?: string } = {}): Promise<number> {
  const timestamp = Date.now()
  const answer = await fetch(receiver.url, {
    method: 'POST',
    headers: {
      'X-Service-Signature': signWebhook(body, given.by ?? secret, timestamp),
      'X-Service-Timestamp': String(timestamp),
      'X-Service-Event': 'WEBHOOK_TEST',
      'X-Service-Delivery-Id': deliveryId,
      'X-Service-Schema-Version': '2026-07',
    },
    body: given.body ?? body,
  })
  return answer.status
}

test('a repeated delivery gets the same reply and is handled once', async () => {
  expect([await post('one'), await post('one'), await post('two')]).toEqual([204, 204, 204])
  expect(notices).toMatchObject([
    { deliveryId: 'one', event: 'WEBHOOK_TEST', body: { data: { message: 'Señal' } } },
    { deliveryId: 'two' },
  ])
})

test('an invalid signature or an oversized body is refused permanently', async () => {
  expect(await post('one', { by: 'another' })).toBe(401)
  expect(await post('one', { body: body.replace('Señal', 'Senal') })).toBe(401)
  expect(await post('one', { body: 'x'.repeat(1_000_001) })).toBe(413)
  expect(notices).toEqual([])
})

test('secrets may change at runtime; without one a delivery is retried', async () => {
  secrets.splice(0)
  expect(await post('one')).toBe(500)
  secrets.push('the next', secret)
  expect(await post('one')).toBe(204)
  expect(notices).toHaveLength(1)
})
