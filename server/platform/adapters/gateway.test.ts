import { createHmac } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#platform/ids.ts'
import { type Fault, faults, type GatewayDouble, openDouble } from '#tests/support/billing/gateway/double.ts'
import { atLeast, defined, firstOf, itemAt, lastOf } from '#tests/support/elements.ts'
import { type Organization, startTestServer, type TestServer } from '#tests/support/test-server.ts'
import {
  type Gateway,
  type GatewayCredentials,
  GatewayMissing,
  GatewayRefused,
  type Gateways,
  GatewayUnknown,
  openGateways,
} from './gateway.ts'

let server: TestServer
let organization: Organization
let double: GatewayDouble
beforeAll(async () => {
  double = await openDouble()
  server = await startTestServer({ stripe: { url: double.url, timeoutMs: 1_000 } })
  organization = await server.organization()
})
afterAll(async () => {
  await server?.close()
  await double?.close()
})

const soon = { expiresMonth: 12, expiresYear: 2999 }
/** A gateway with the actions of a payer, and its clock. */
type Stage = {
  name: string
  account(): GatewayCredentials
  givesCard(setup: { id: string; clientSecret: string }, number: string): Promise<unknown>
  pays(intent: { id: string; clientSecret: string }, number: string): Promise<unknown>
  answersBank(intent: { id: string; clientSecret: string }, isThem: boolean): Promise<unknown>
  later(): Promise<void>
  notice(about: 'intent', id: string, ageMs?: number, secret?: string): { body: string; headers: object }
}

const stages: Stage[] = [
  {
    name: 'sandbox',
    account: () => ({
      organizationId: organization.id,
      id: newId(),
      adapter: 'sandbox',
      secretKey: null,
      webhookSecret: 'a secret',
    }),
    givesCard: ({ clientSecret }, number) => sandboxPages().submitCard(clientSecret, { number, ...soon }),
    pays: ({ clientSecret }, number) => sandboxPages().pay(clientSecret, { number, ...soon }),
    answersBank: ({ clientSecret }, isThem) =>
      clientSecret.startsWith('seti_')
        ? sandboxPages().answerSetup(clientSecret, isThem)
        : sandboxPages().answerIntent(clientSecret, isThem),
    async later() {
      await server.sql(
        `update sandbox_object set body = jsonb_set(body, '{ends,at}', '"2020-01-01T00:00:00.000Z"')
         where body->'ends' <> 'null' and body ? 'ends'`,
      )
    },
    notice(about, objectId, ageMs = 0, secret = 'a secret') {
      const body = JSON.stringify({ id: newId(), about, objectId, intentId: objectId })
      const seconds = Math.floor((Date.now() - ageMs) / 1000)
      const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
      return { body, headers: { 'sandbox-signature': `t=${seconds},v1=${signature}` } }
    },
  },
  {
    name: 'Stripe',
    account: () => ({
      organizationId: organization.id,
      id: newId(),
      adapter: 'stripe',
      secretKey: double.secretKey,
      webhookSecret: double.webhookSecret,
    }),
    givesCard: async ({ id }, number) => double.givesCard(id, number),
    pays: async ({ id }, number) => double.pays(id, number),
    answersBank: async ({ id }, isThem) => double.answersBank(id, isThem),
    later: async () => double.later(11_000),
    notice: (_about, id, ageMs = 0, secret = double.webhookSecret) =>
      double.notice('payment_intent.succeeded', { object: 'payment_intent', id }, { secret, ageMs }),
  },
]
const sandboxPages = () => defined(server.api.services.gateways.sandboxPagesOf(firstOf(stages).account()))

describe.each(stages)('$name', ({ account, givesCard, pays, answersBank, later, notice }) => {
  let gateway: Gateway
  beforeAll(() => {
    gateway = server.api.services.gateways.of(account())
  })
  const key = () => newId()
  const customer = () =>
    gateway.createCustomer({ name: 'Ada', email: 'ada@example.test', metadata: { userId: 'u-1' } }, key())
  /** A saved card. */
  async function card(number: string): Promise<{ customerId: string; methodId: string }> {
    const { id: customerId } = await customer()
    const setup = await gateway.createSetup({ customerId, metadata: {} }, key())
    await givesCard(setup, number)
    if ((await gateway.readSetup(setup.id)).status === 'open') await answersBank(setup, true)
    return { customerId, methodId: defined((await gateway.readSetup(setup.id)).methodId) }
  }
  const intentOf = (who: { customerId: string | null; methodId: string | null }, amountCents = 12_100) =>
    gateway.createIntent({ amountCents, currency: 'eur', ...who, metadata: { attempt: 'a-1' } }, key())
  async function charged(number: string, amountCents?: number) {
    const intent = await intentOf(await card(number), amountCents)
    return gateway.confirmIntent(intent.id, { isOffSession: true }, key())
  }
  const refusal = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => undefined,
      error => error,
    )
    expect(error).toBeInstanceOf(GatewayRefused)
    return error as GatewayRefused
  }

  test('reports that it can collect, and its currencies', async () => {
    const { isReady, currencies } = await gateway.readAccount()
    expect(isReady).toBe(true)
    expect(currencies).toContain('eur')
  })

  test('saves a card, and shows only its public parts', async () => {
    const { id: customerId } = await customer()
    const setup = await gateway.createSetup({ customerId, metadata: {} }, key())
    expect(setup).toMatchObject({ status: 'open', methodId: null })
    expect(setup.clientSecret).toMatch(/_secret_/)
    await givesCard(setup, '4242424242424242')
    const { status, methodId } = await gateway.readSetup(setup.id)
    expect(status).toBe('succeeded')
    expect(await gateway.readMethod(defined(methodId))).toMatchObject({
      id: methodId,
      brand: 'visa',
      last4: '4242',
      expiresMonth: 12,
      expiresYear: 2999,
    })
  })

  test('lists the setups of a customer, newest first, with their metadata', async () => {
    const { id: customerId } = await customer()
    expect(await gateway.listSetupsOf(customerId)).toEqual([])
    const ids = []
    for (const authorizationId of ['a-1', 'a-2'])
      ids.unshift((await gateway.createSetup({ customerId, metadata: { authorizationId } }, key())).id)
    await givesCard(await gateway.readSetup(firstOf(ids)), '4242424242424242')
    const setups = await gateway.listSetupsOf(customerId)
    expect(setups.map(({ id, status, metadata }) => [id, status, metadata.authorizationId])).toEqual([
      [ids[0], 'succeeded', 'a-2'],
      [ids[1], 'open', 'a-1'],
    ])
  })

  test('saves a card that needs authentication after it', async () => {
    const { id: customerId } = await customer()
    const setup = await gateway.createSetup({ customerId, metadata: {} }, key())
    await givesCard(setup, '4000002500003155')
    expect(await gateway.readSetup(setup.id)).toMatchObject({ status: 'open', methodId: null })
    await answersBank(setup, true)
    const { methodId } = await gateway.readSetup(setup.id)
    const intent = await intentOf({ customerId, methodId })
    expect((await gateway.confirmIntent(intent.id, { isOffSession: true }, key())).status).toBe('succeeded')
  })

  test('does not charge a detached card, which may be detached again', async () => {
    const who = await card('4242424242424242')
    const started = await intentOf(who)
    await gateway.detachMethod(who.methodId, key())
    await gateway.detachMethod(who.methodId, key())
    await refusal(intentOf(who))
    await refusal(gateway.confirmIntent(started.id, { isOffSession: true }, key()))
    expect((await gateway.readIntent(started.id)).receivedCents).toBe(0)
    expect((await gateway.readMethod(who.methodId)).last4).toBe('4242')
    await expect(gateway.detachMethod('pm_none', key())).rejects.toBeInstanceOf(GatewayMissing)
  })

  test('moves no money before the confirmation, and then the whole amount', async () => {
    const who = await card('4242424242424242')
    const intent = await intentOf(who)
    expect(intent).toMatchObject({
      status: 'requires_confirmation',
      amountCents: 12_100,
      receivedCents: 0,
      currency: 'eur',
      failure: null,
      metadata: { attempt: 'a-1' },
    })
    const confirmed = await gateway.confirmIntent(intent.id, { isOffSession: true }, key())
    expect(confirmed).toMatchObject({ id: intent.id, status: 'succeeded', receivedCents: 12_100 })
    expect(await gateway.readIntent(intent.id)).toEqual(confirmed)
  })

  test.each([
    ['4000000000000341', 'card_declined', 'generic_decline'],
    ['4000000000009995', 'card_declined', 'insufficient_funds'],
    ['4000000000009987', 'card_declined', 'lost_card'],
    ['4000000000000119', 'processing_error', null],
    ['4000002760003184', 'authentication_required', 'authentication_required'],
  ])('card %s is refused with %s, %s', async (number, code, declineCode) => {
    const intent = await intentOf(await card(number))
    const { failure, intent: after } = await refusal(
      gateway.confirmIntent(intent.id, { isOffSession: true }, key()),
    )
    expect(failure).toMatchObject({ code, declineCode, message: expect.any(String) })
    expect(after).toMatchObject({
      id: intent.id,
      status: 'requires_payment_method',
      receivedCents: 0,
      failure,
      clientSecret: intent.clientSecret,
    })
    expect(await gateway.readIntent(intent.id)).toEqual(after)
    // the card must be named again
    await refusal(gateway.confirmIntent(intent.id, { isOffSession: true }, key()))
  })

  test.each([true, false])('a payer whom the bank asks answers %s', async isThem => {
    const who = await card('4000002760003184')
    const intent = await intentOf(who)
    await refusal(gateway.confirmIntent(intent.id, { isOffSession: true }, key()))
    const { methodId } = who
    const confirmed = await gateway.confirmIntent(intent.id, { methodId, isOffSession: false }, key())
    expect(confirmed).toMatchObject({ status: 'requires_action', receivedCents: 0 })
    await answersBank(intent, isThem)
    expect(await gateway.readIntent(intent.id)).toMatchObject(
      isThem
        ? { status: 'succeeded', receivedCents: 12_100, failure: null }
        : {
            status: 'requires_payment_method',
            failure: { code: 'payment_intent_authentication_failure' },
          },
    )
  })

  test('a payer who is present pays with their card', async () => {
    const intent = await intentOf({ customerId: null, methodId: null })
    expect(intent.status).toBe('requires_payment_method')
    await pays(intent, '5555555555554444')
    expect(await gateway.readIntent(intent.id)).toMatchObject({ status: 'succeeded', receivedCents: 12_100 })
  })

  test.each([
    ['4000000000001000', 'succeeded', 12_100],
    ['4000000000001018', 'requires_payment_method', 0],
  ])('card %s takes a while, then %s', async (number, status, receivedCents) => {
    const { id } = await charged(number)
    expect((await gateway.readIntent(id)).status).toBe('processing')
    expect((await gateway.cancelIntent(id, key())).status).toBe('processing')
    await later()
    expect(await gateway.readIntent(id)).toMatchObject({ status, receivedCents })
  })

  test('a cancelled intent is never collected', async () => {
    const intent = await intentOf(await card('4242424242424242'))
    expect((await gateway.cancelIntent(intent.id, key())).status).toBe('canceled')
    // again, with the same key and with another one
    expect((await gateway.cancelIntent(intent.id, key())).status).toBe('canceled')
    const { intent: after } = await refusal(gateway.confirmIntent(intent.id, { isOffSession: true }, key()))
    expect(after).toMatchObject({ status: 'canceled', receivedCents: 0 })
  })

  test('a collected intent is neither cancelled nor collected again', async () => {
    const { id } = await charged('4242424242424242')
    expect(await gateway.cancelIntent(id, key())).toMatchObject({
      status: 'succeeded',
      receivedCents: 12_100,
    })
    const { intent } = await refusal(gateway.confirmIntent(id, { isOffSession: true }, key()))
    expect(intent).toMatchObject({ status: 'succeeded', receivedCents: 12_100 })
  })

  test('a repeated key gets the same answer, and another request with it is GatewayUnknown', async () => {
    const who = await card('4242424242424242')
    const given = { amountCents: 500, currency: 'eur', ...who, metadata: {} }
    const one = key()
    const all = await Promise.all(Array.from({ length: 5 }, () => gateway.createIntent(given, one)))
    for (const intent of all) expect(intent).toEqual(all[0])
    await expect(gateway.createIntent({ ...given, amountCents: 501 }, one)).rejects.toBeInstanceOf(
      GatewayUnknown,
    )
    const [giver, asking] = [key(), key()]
    const person = { name: 'Ada', email: null, metadata: {} }
    const { id: customerId } = await gateway.createCustomer(person, giver)
    expect(await gateway.createCustomer(person, giver)).toEqual({ id: customerId })
    const setup = await gateway.createSetup({ customerId, metadata: {} }, asking)
    expect(await gateway.createSetup({ customerId, metadata: {} }, asking)).toEqual(setup)
    const confirm = key()
    const id = firstOf(all).id
    const confirmed = await gateway.confirmIntent(id, { isOffSession: true }, confirm)
    expect(await gateway.confirmIntent(id, { isOffSession: true }, confirm)).toEqual(confirmed)
    await expect(gateway.confirmIntent(id, { isOffSession: false }, confirm)).rejects.toBeInstanceOf(
      GatewayUnknown,
    )
  })

  test('a refusal is stored under its key too', async () => {
    const who = await card('4000000000000341')
    const { id } = await intentOf(who)
    const one = key()
    for (let time = 0; time < 2; time++) {
      const { failure, intent } = await refusal(gateway.confirmIntent(id, { isOffSession: true }, one))
      expect(failure.code).toBe('card_declined')
      expect(intent?.status).toBe('requires_payment_method')
    }
    await gateway.cancelIntent(id, key())
    expect((await refusal(gateway.confirmIntent(id, { isOffSession: true }, one))).intent?.status).toBe(
      'requires_payment_method',
    )
  })

  test('refunds parts, and no more than was collected', async () => {
    const { id: intentId } = await charged('4242424242424242')
    const back = (amountCents: number, one = key()) =>
      gateway.createRefund({ intentId, amountCents, reason: 'duplicate', metadata: { part: 'p-1' } }, one)
    const one = key()
    const first = await back(100, one)
    expect(first).toMatchObject({
      intentId,
      amountCents: 100,
      currency: 'eur',
      status: 'succeeded',
      failureCode: null,
      metadata: { part: 'p-1' },
    })
    expect(await back(100, one)).toEqual(first)
    expect((await refusal(back(12_001))).failure.code).toBe('amount_too_large')
    const second = await back(12_000)
    expect((await refusal(back(1))).failure.code).toBe('charge_already_refunded')
    expect(await gateway.readRefund(second.id)).toEqual(second)
    expect((await gateway.listRefundsOf(intentId)).map(({ id }) => id)).toEqual([second.id, first.id])
  })

  test.each([
    ['4000000000007726', 'pending', 'succeeded', null],
    ['4000000000005126', 'succeeded', 'failed', 'expired_or_canceled_card'],
  ])('a refund to card %s is %s, then %s', async (number, first, then, failureCode) => {
    const { id: intentId } = await charged(number)
    const given = { intentId, amountCents: 12_100, reason: null, metadata: {} }
    const { id, status } = await gateway.createRefund(given, key())
    expect(status).toBe(first)
    // a pending refund reduces what is left
    await refusal(gateway.createRefund({ ...given, amountCents: 1 }, key()))
    await later()
    expect(await gateway.readRefund(id)).toMatchObject({ status: then, failureCode })
    // a failed refund can be repeated
    if (then === 'failed') expect((await gateway.createRefund(given, key())).status).toBe('succeeded')
  })

  test('does not refund an uncollected or disputed intent', async () => {
    const open = await intentOf(await card('4242424242424242'))
    const disputed = await charged('4000000000000259')
    for (const { id: intentId } of [open, disputed])
      await refusal(gateway.createRefund({ intentId, amountCents: 1, reason: null, metadata: {} }, key()))
  })

  test('lists disputes and the amounts that they took', async () => {
    const [paid, disputed] = [await charged('4242424242424242'), await charged('4000000000000259', 900)]
    expect(await gateway.listDisputesOf(paid.id)).toEqual([])
    expect(await gateway.listDisputesOf(disputed.id)).toEqual([
      { id: expect.any(String), movedCents: [-900], holdsRefunds: true },
    ])
    const open = await intentOf(await card('4000000000000259'))
    expect(await gateway.listDisputesOf(open.id)).toEqual([])
  })

  test('lists every movement of money', async () => {
    const from = new Date(Date.now() - 3_600_000)
    const to = new Date(Date.now() + 3_600_000)
    const paid = await charged('4000000000005126', 700)
    const { id: refundId } = await gateway.createRefund(
      { intentId: paid.id, amountCents: 200, reason: null, metadata: { part: 'p-1' } },
      key(),
    )
    await later()
    await gateway.readRefund(refundId)
    const disputed = await charged('4000000000000259', 900)
    const moved = []
    for await (const { at, ...movement } of gateway.listMovements(from, to)) {
      expect(Math.abs(at.getTime() - Date.now())).toBeLessThan(3_600_000)
      if ([paid.id, disputed.id].includes(movement.intentId)) moved.push(movement)
    }
    const of = { currency: 'eur', intentId: paid.id, metadata: { attempt: 'a-1' } }
    const back = { ...of, kind: 'REFUND', objectId: refundId, metadata: { part: 'p-1' } }
    expect(moved).toHaveLength(5)
    expect(moved).toEqual(
      expect.arrayContaining([
        { ...of, kind: 'PAYMENT', objectId: paid.id, amountCents: 700 },
        { ...back, amountCents: -200 },
        { ...back, amountCents: 200 },
        { ...of, kind: 'PAYMENT', objectId: disputed.id, intentId: disputed.id, amountCents: 900 },
        {
          ...of,
          kind: 'DISPUTE',
          objectId: expect.any(String),
          intentId: disputed.id,
          amountCents: -900,
          metadata: {},
        },
      ]),
    )
    const before = []
    for await (const movement of gateway.listMovements(new Date(0), from)) before.push(movement)
    expect(before).toEqual([])
  })

  test('throws GatewayMissing for a missing object, and refuses a reference to it', async () => {
    for (const read of [gateway.readIntent, gateway.readSetup, gateway.readMethod, gateway.readRefund])
      await expect(read('nothing')).rejects.toBeInstanceOf(GatewayMissing)
    await expect(gateway.cancelIntent('nothing', key())).rejects.toBeInstanceOf(GatewayMissing)
    await refusal(intentOf({ customerId: 'nothing', methodId: null }))
    await refusal(intentOf({ customerId: null, methodId: 'nothing' }))
    expect(await gateway.listRefundsOf((await intentOf({ customerId: null, methodId: null })).id)).toEqual([])
  })

  test('accepts a notice signed within five minutes', async () => {
    const read = async ({ body, headers }: { body: string; headers: object }) =>
      gateway.readNotice(Buffer.from(body), headers as Record<string, string>)
    expect(await read(notice('intent', 'pi_1'))).toEqual({
      id: expect.any(String),
      about: 'intent',
      objectId: 'pi_1',
      intentId: 'pi_1',
    })
    const good = notice('intent', 'pi_1')
    expect(await read({ ...good, body: good.body.replace('pi_1', 'pi_2') })).toBeUndefined()
    expect(await read({ ...good, headers: {} })).toBeUndefined()
    expect(await read(notice('intent', 'pi_1', 0, 'another secret'))).toBeUndefined()
    expect(await read(notice('intent', 'pi_1', 301_000))).toBeUndefined()
    expect(
      await server.api.services.gateways
        .of({ ...account(), webhookSecret: null })
        .readNotice(Buffer.from(good.body), good.headers as Record<string, string>),
    ).toBeUndefined()
  })
})

describe('Stripe with faults', () => {
  let gateway: Gateway
  // prepares what the tests need, without the short timeout of the gateway under test
  let preparing: Gateways
  beforeAll(() => {
    gateway = server.api.services.gateways.of(itemAt(stages, 1).account())
    preparing = openGateways(server.api.services.database, server.url, { url: double.url, timeoutMs: 60_000 })
  })
  afterAll(() => preparing.close())
  afterEach(() => double.heals())
  const key = () => newId()
  const isDone = (fault: Fault) => /after|delay|garbage/.test(fault)
  const intent = async () => {
    const given = { amountCents: 900, currency: 'eur', customerId: null, metadata: {} }
    return preparing
      .of(itemAt(stages, 1).account())
      .createIntent({ ...given, methodId: double.addMethod('4242424242424242') }, key())
  }
  const unknown = (work: Promise<unknown>) => expect(work).rejects.toBeInstanceOf(GatewayUnknown)

  describe.each(faults)('%s', fault => {
    test.each([
      {
        operation: 'confirmIntent' as const,
        act: (id: string, one: string) => gateway.confirmIntent(id, { isOffSession: true }, one),
        done: (id: string) => double.intent(id).status === 'succeeded',
      },
      {
        operation: 'cancelIntent' as const,
        act: (id: string, one: string) => gateway.cancelIntent(id, one),
        done: (id: string) => double.intent(id).status === 'canceled',
      },
      {
        operation: 'createIntent' as const,
        act: (id: string, one: string) =>
          gateway.createIntent(
            {
              amountCents: 900,
              currency: 'eur',
              customerId: null,
              methodId: null,
              metadata: { of: id },
            },
            one,
          ),
        done: (id: string) => double.intents().filter(({ metadata }) => metadata.of === id).length === 1,
      },
      {
        operation: 'createRefund' as const,
        act: async (id: string, one: string) => {
          if (double.intent(id).status !== 'succeeded') double.pays(id, '4242424242424242')
          const given = { amountCents: 900, reason: null, metadata: {} }
          return gateway.createRefund({ intentId: id, ...given }, one)
        },
        done: (id: string) =>
          double.refunds().filter(({ payment_intent }) => payment_intent === id).length === 1,
      },
    ])(
      '$operation: the result is unknown, and a repetition executes it once',
      async ({ operation, act, done }) => {
        const { id } = await intent()
        const one = key()
        double.fails(operation, fault)
        await unknown(act(id, one))
        expect(done(id)).toBe(isDone(fault))
        double.heals()
        // a reply of 500 is stored like any other
        if (fault === '500 after') await unknown(act(id, one))
        else await act(id, one)
        expect(done(id)).toBe(true)
      },
    )
  })

  test('a closed connection is retried with the same request and key', async () => {
    const { id } = await intent()
    double.fails('confirmIntent', 'drop after', 1)
    expect((await gateway.confirmIntent(id, { isOffSession: true }, 'once-only')).status).toBe('succeeded')
    const requests = double.requests.filter(({ key }) => key === 'once-only')
    expect(requests.map(({ operation }) => operation)).toEqual(['confirmIntent', 'confirmIntent'])
  })

  test('no server listens', async () => {
    await double.down()
    await unknown(gateway.readAccount())
    await double.up()
    expect((await gateway.readAccount()).isReady).toBe(true)
  })

  test('a wrong key is refused and not revealed', async () => {
    const wrong = server.api.services.gateways.of({
      ...itemAt(stages, 1).account(),
      secretKey: 'sk_test_wrong',
    })
    const error = await wrong.readAccount().catch(error => error)
    expect(error).toBeInstanceOf(GatewayRefused)
    expect(JSON.stringify([error.message, error.failure])).not.toContain('sk_test')
  })

  test('an account without enabled charges is not ready', async () => {
    double.account.charges_enabled = false
    expect(await gateway.readAccount()).toEqual({ id: 'acct_double', isReady: false, currencies: [] })
    double.account.charges_enabled = true
  })

  test('accepts one of several signatures during a rotation, and no other scheme', async () => {
    const { body, headers } = double.notice('payment_intent.succeeded', {
      object: 'payment_intent',
      id: 'pi_1',
    })
    const [time, right] = atLeast(2, headers['stripe-signature'].split(','))
    const read = (...signatures: string[]) =>
      gateway.readNotice(Buffer.from(body), { 'stripe-signature': [time, ...signatures].join(',') })
    const wrong = `v1=${'0'.repeat(64)}`
    expect(await read(wrong, right)).toMatchObject({ objectId: 'pi_1' })
    expect(await read(wrong)).toBeUndefined()
    expect(await read(right.replace('v1=', 'v0='))).toBeUndefined()
  })

  test('has its own card page, one for each key', async () => {
    const given = { name: null, email: null, metadata: {} }
    const { id: customerId } = await gateway.createCustomer(given, key())
    const one = key()
    const open = () =>
      gateway.openCardPage(
        { customerId, metadata: { authorizationId: 'a-3' }, backUrl: 'https://patio.test/c' },
        one,
      )
    const url = defined(await open())
    expect(await open()).toBe(url)
    expect(await gateway.listSetupsOf(customerId)).toEqual([])
    expect(double.givesCardOnPage(url, '4242424242424242')).toBe('https://patio.test/c')
    expect(await gateway.listSetupsOf(customerId)).toMatchObject([
      { status: 'succeeded', methodId: expect.any(String), metadata: { authorizationId: 'a-3' } },
    ])
  })

  test('excludes currencies with another smallest unit', async () => {
    expect((await gateway.readAccount()).currencies).toEqual(['eur', 'usd', 'gbp'])
  })

  test.each([
    ['needs_response', false, [-900], [-900], true],
    ['warning_needs_response', true, [], [], false],
    ['under_review', false, [], [], true],
    ['warning_closed', false, [], [], false],
    // the balance has another currency
    ['won', false, [-1_020, 1_015], [-900, 900], false],
    ['lost', false, [-900], [-900], false],
  ])('a dispute that is %s', async (status, is_charge_refundable, balance, movedCents, holdsRefunds) => {
    const { id } = double.intent((await intent()).id)
    const dispute = double.objects(id, { status, is_charge_refundable, balance })
    expect(await gateway.listDisputesOf(id)).toEqual([{ id: dispute.id, movedCents, holdsRefunds }])
  })

  test('lists more than a page of movements', async () => {
    const from = new Date(Math.floor(Date.now() / 1000) * 1000 + 1)
    double.later(3_600_000)
    for (let n = 0; n < 150; n++) {
      const { id } = double.intent((await intent()).id)
      double.pays(id, '4242424242424242')
    }
    let count = 0
    for await (const { kind } of gateway.listMovements(from, new Date(from.getTime() + 7_200_000)))
      if (kind === 'PAYMENT') count++
    expect(count).toBeGreaterThanOrEqual(150)
    // Stripe counts whole seconds: the second that contains a time is before it
    const second = Math.ceil(from.getTime() / 1000)
    const created = { gte: String(second), lt: String(second + 7_200) }
    expect(lastOf(double.requests).params.created).toEqual(created)
  })
})

describe('The sandbox', () => {
  const account = () => firstOf(stages).account()
  const key = () => newId()

  test('loses the answer for one card after collecting', async () => {
    const gateway = server.api.services.gateways.of(account())
    const given = { amountCents: 900, currency: 'eur', customerId: null, methodId: null, metadata: {} }
    const [first, { id }] = [
      await gateway.createIntent(given, key()),
      await gateway.createIntent(given, key()),
    ]
    const { id: customerId } = await gateway.createCustomer({ name: null, email: null, metadata: {} }, key())
    const setup = await gateway.createSetup({ customerId, metadata: {} }, key())
    const { methodId } = await sandboxPages().submitCard(setup.clientSecret, {
      number: '4000000000001026',
      ...soon,
    })
    const one = key()
    const confirm = () => gateway.confirmIntent(id, { methodId: defined(methodId), isOffSession: true }, one)
    await expect(confirm()).rejects.toBeInstanceOf(GatewayUnknown)
    expect((await gateway.readIntent(id)).status).toBe('succeeded')
    expect((await confirm()).status).toBe('succeeded')
    expect((await gateway.readIntent(first.id)).receivedCents).toBe(0)
  })

  test('refuses invalid numbers, real cards, expired cards and unusable cards', async () => {
    const gateway = server.api.services.gateways.of(account())
    const { id: customerId } = await gateway.createCustomer({ name: null, email: null, metadata: {} }, key())
    const { clientSecret } = await gateway.createSetup({ customerId, metadata: {} }, key())
    const refusal = async (number: string, expiresYear = 2999) =>
      (await sandboxPages()
        .submitCard(clientSecret, { number, expiresMonth: 1, expiresYear })
        .catch(({ failure }) => failure.declineCode ?? failure.code)) as unknown
    expect(await refusal('4242424242424241')).toBe('incorrect_number')
    expect(await refusal('no number')).toBe('incorrect_number')
    expect(await refusal('4111111111111111')).toBe('test_mode_live_card')
    expect(await refusal('4242 4242 4242 4242', 2020)).toBe('expired_card')
    expect(await refusal('4000000000000002')).toBe('generic_decline')
    expect(await refusal('4000000000000069')).toBe('expired_card')
    expect(await refusal('4000000000000127')).toBe('incorrect_cvc')
    expect(await refusal('4242 4242 4242 4242')).toMatchObject({
      status: 'succeeded',
      isAuthenticationRequired: false,
    })
    // once is enough
    expect(await refusal('4242424242424242')).toBe('setup_intent_unexpected_state')
  })

  test('opens a setup or an intent only with its secret, in its organization', async () => {
    const gateway = server.api.services.gateways.of(account())
    const intent = await gateway.createIntent(
      { amountCents: 900, currency: 'eur', customerId: null, methodId: null, metadata: {} },
      key(),
    )
    const card = { number: '4242424242424242', ...soon }
    const wrong = `${intent.clientSecret.slice(0, -1)}${intent.clientSecret.endsWith('A') ? 'B' : 'A'}`
    for (const secret of [wrong, intent.id, 'nothing', ''])
      await expect(sandboxPages().pay(secret, card)).rejects.toBeInstanceOf(GatewayMissing)
    const elsewhere = await server.organization()
    const other = { ...account(), organizationId: elsewhere.id }
    const { gateways } = server.api.services
    await expect(
      defined(gateways.sandboxPagesOf(other)).pay(intent.clientSecret, card),
    ).rejects.toBeInstanceOf(GatewayMissing)
    await expect(gateways.of(other).readIntent(intent.id)).rejects.toBeInstanceOf(GatewayMissing)
    expect(gateways.sandboxPagesOf({ ...account(), adapter: 'stripe' })).toBeUndefined()
    expect((await sandboxPages().pay(intent.clientSecret, card)).status).toBe('succeeded')
  })

  test('has no question of the bank without a pending action', async () => {
    const gateway = server.api.services.gateways.of(account())
    const { id: customerId } = await gateway.createCustomer({ name: null, email: null, metadata: {} }, key())
    const setup = await gateway.createSetup({ customerId, metadata: {} }, key())
    await expect(sandboxPages().answerSetup(setup.clientSecret, true)).rejects.toBeInstanceOf(GatewayRefused)
    const intent = await gateway.createIntent(
      { amountCents: 900, currency: 'eur', customerId, methodId: null, metadata: {} },
      key(),
    )
    await expect(sandboxPages().answerIntent(intent.clientSecret, true)).rejects.toBeInstanceOf(
      GatewayRefused,
    )
    await sandboxPages().submitCard(setup.clientSecret, { number: '4000002500003155', ...soon })
    await expect(sandboxPages().answerSetup(setup.clientSecret, false)).rejects.toBeInstanceOf(GatewayRefused)
    expect(await gateway.readSetup(setup.id)).toMatchObject({ status: 'open', methodId: null })
  })

  test('accepts a key again after a day', async () => {
    const gateway = server.api.services.gateways.of(account())
    const given = { name: 'Ada', email: null, metadata: {} }
    const one = key()
    const first = await gateway.createCustomer(given, one)
    await server.sql(
      `update sandbox_object set created_at = now() - interval '25 hours' where kind = 'request' and organization_id = $1`,
      [organization.id],
    )
    expect(await gateway.createCustomer({ ...given, name: 'Grace' }, one)).not.toEqual(first)
  })

  test('lists more than a page of movements, each once', async () => {
    const elsewhere = await server.organization()
    const of = { ...account(), organizationId: elsewhere.id }
    const { gateways } = server.api.services
    const gateway = gateways.of(of)
    const from = new Date(Date.now() - 60_000)
    const ids: string[] = []
    for (let n = 0; n < 120; n++) {
      const intent = await gateway.createIntent(
        { amountCents: 1 + n, currency: 'eur', customerId: null, methodId: null, metadata: {} },
        key(),
      )
      await defined(gateways.sandboxPagesOf(of)).pay(intent.clientSecret, {
        number: '4242424242424242',
        ...soon,
      })
      ids.push(intent.id)
    }
    const moved: string[] = []
    for await (const { objectId } of gateway.listMovements(from, new Date(Date.now() + 60_000)))
      moved.push(objectId)
    // movements of one millisecond have no order
    expect(moved.toSorted()).toEqual(ids.toSorted())
  })
})
