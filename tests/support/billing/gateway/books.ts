import { behaviourOf, cardOf } from '#platform/adapters/gateway/sandbox-cards.ts'
import { newId } from '#platform/ids.ts'
import { defined } from '../../elements.ts'
import {
  notValid,
  type Params,
  type WireDispute,
  WireError,
  type WireIntent,
  type WireMethod,
  type WireMovement,
  type WireRefund,
  type WireSetup,
} from './wire.ts'

type StoredIntent = { intent: WireIntent; ends: { at: number; as: 'succeeded' | 'failed' } | null }
type StoredMethod = { number: string; hasAuthenticated: boolean; isDetached: boolean }
type StoredRefund = { refund: WireRefund; ends: { at: number; as: 'succeeded' | 'failed' } | null }
const laterMs = 10_000

/** The objects of a gateway, in memory, with Stripe's rules. `now` is its clock, in milliseconds. */
export function openGatewayBooks(now: () => number) {
  const customers = new Map<string, object>()
  const methods = new Map<string, WireMethod & StoredMethod>()
  const setups = new Map<string, WireSetup>()
  const intents = new Map<string, StoredIntent>()
  const refunds = new Map<string, StoredRefund>()
  const pages = new Map<string, Params>()
  const disputes: WireDispute[] = []
  const movements: WireMovement[] = []
  const account = { id: 'acct_double', object: 'account', charges_enabled: true, country: 'ES' }
  const seconds = () => Math.floor(now() / 1000)
  const made = (prefix: string) => ({ id: `${prefix}_${newId()}`, created: seconds(), livemode: false })

  function found<Thing>(things: Map<string, Thing>, id: string, noun: string): Thing {
    const thing = things.get(id)
    if (!thing)
      throw new WireError(404, {
        type: 'invalid_request_error',
        code: 'resource_missing',
        message: `No such ${noun}: '${id}'`,
        param: 'id',
      })
    return thing
  }
  function named(things: Map<string, unknown>, id: unknown, param: string): void {
    if (id !== undefined && !things.has(String(id)))
      throw notValid('resource_missing', `No such ${param}: '${id}'`, { param })
  }
  function namedCard(id: unknown): void {
    named(methods, id, 'payment_method')
    if (methods.get(String(id))?.isDetached)
      throw new WireError(400, {
        type: 'invalid_request_error',
        message: 'The provided PaymentMethod was detached from a Customer. It may not be used again.',
      })
  }
  function move(type: WireMovement['type'], amount: number, currency: string, source: object): void {
    movements.unshift({ ...made('txn'), object: 'balance_transaction', type, amount, currency, source })
  }

  function addMethod(number: string, customer: WireMethod['customer'] = null): string {
    const { brand, last4 } = cardOf(number)
    const method = { ...made('pm'), object: 'payment_method', type: 'card', customer } as const
    const card = { brand, last4, exp_month: 12, exp_year: 2999 }
    methods.set(method.id, { ...method, card, number, hasAuthenticated: false, isDetached: false })
    return method.id
  }
  function collect({ intent }: StoredIntent, isDisputed = false): void {
    Object.assign(intent, { status: 'succeeded', amount_received: intent.amount, last_payment_error: null })
    intent.next_action = null
    const { amount, currency, id, metadata } = intent
    const charge = {
      ...made('ch'),
      object: 'charge',
      amount_captured: amount,
      currency,
      payment_intent: id,
      // a copy of the metadata at that time
      metadata: { ...metadata },
    }
    intent.latest_charge = charge.id
    move('charge', amount, currency, charge)
    if (isDisputed) {
      const given = { status: 'needs_response', is_charge_refundable: false, balance: [-amount] }
      move('adjustment', -amount, currency, object(id, given))
    }
  }
  function object(
    intentId: string,
    { balance, ...given }: { status: string; is_charge_refundable: boolean; balance: number[] },
  ): WireDispute {
    const { amount, currency } = found(intents, intentId, 'payment_intent').intent
    const dispute: WireDispute = {
      ...made('dp'),
      object: 'dispute',
      amount,
      currency,
      payment_intent: intentId,
      metadata: {},
      ...given,
      balance_transactions: balance.map(amount => ({ amount })),
    }
    disputes.unshift(dispute)
    return dispute
  }
  function decline(
    { intent }: StoredIntent,
    error: { code: string; declineCode: string | null; message: string },
  ) {
    const { code, declineCode, message } = error
    const raised = { type: 'card_error', code, message, ...(declineCode && { decline_code: declineCode }) }
    intent.status = 'requires_payment_method'
    intent.payment_method = null
    intent.next_action = null
    intent.last_payment_error = raised as never
    return new WireError(402, { ...raised, payment_intent: { ...intent } })
  }
  function finish(stored: StoredIntent, number: string): void {
    const { declines, processes, isDisputed } = behaviourOf(number)
    if (declines) throw decline(stored, declines)
    if (processes) {
      stored.intent.status = 'processing'
      stored.ends = { at: now() + laterMs, as: processes }
    } else collect(stored, isDisputed)
  }
  function attempt(stored: StoredIntent, methodId: string, isOffSession: boolean): void {
    const { intent } = stored
    const method = defined(methods.get(methodId))
    const { asks } = behaviourOf(method.number)
    intent.payment_method = methodId
    if (asks !== 'always' && !(asks === 'once' && !method.hasAuthenticated)) {
      finish(stored, method.number)
      return
    }
    const code = 'authentication_required'
    if (isOffSession)
      throw decline(stored, { code, declineCode: code, message: 'This transaction requires authentication.' })
    intent.status = 'requires_action'
    intent.next_action = { type: 'redirect_to_url', redirect_to_url: { url: 'https://bank.test' } } as never
  }

  /** An intent, brought up to date. */
  function intentOf(id: string): StoredIntent {
    const stored = found(intents, id, 'payment_intent')
    if (stored.ends && stored.ends.at <= now()) {
      const { as } = stored.ends
      stored.ends = null
      if (as === 'succeeded') collect(stored)
      else {
        const message = 'Your card was declined.'
        decline(stored, { code: 'card_declined', declineCode: 'generic_decline', message })
      }
    }
    return stored
  }
  function refundOf(id: string): WireRefund {
    const stored = found(refunds, id, 'refund')
    const { refund, ends } = stored
    if (ends && ends.at <= now()) {
      stored.ends = null
      refund.status = ends.as
      if (ends.as === 'succeeded') move('refund', -refund.amount, refund.currency, { ...refund })
      else {
        refund.failure_reason = 'expired_or_canceled_card'
        move('refund_failure', refund.amount, refund.currency, { ...refund })
      }
    }
    return refund
  }
  const refundsOf = (intentId: unknown) =>
    [...refunds.keys()]
      .map(refundOf)
      .filter(({ payment_intent }) => intentId === undefined || payment_intent === intentId)
      .reverse()
  function unexpected({ intent }: StoredIntent, what: string): WireError {
    const message = `You cannot ${what} this PaymentIntent because it has a status of ${intent.status}.`
    return notValid('payment_intent_unexpected_state', message, { payment_intent: { ...intent } })
  }
  const isOpen = ({ intent }: StoredIntent) => intent.status.startsWith('requires_')

  return {
    account,
    intents,
    refunds,
    methods,
    movements,
    addMethod,
    intentOf,
    refundOf,
    refundsOf,
    object,
    disputesOf: (intentId: unknown) => disputes.filter(({ payment_intent }) => payment_intent === intentId),
    setupOf: (id: string) => found(setups, id, 'setupintent'),
    methodOf(id: string): WireMethod {
      const { number, hasAuthenticated, isDetached, ...method } = found(methods, id, 'PaymentMethod')
      return method
    },
    detachMethod(id: string): WireMethod {
      const method = found(methods, id, 'PaymentMethod')
      if (method.customer === null)
        throw new WireError(400, {
          type: 'invalid_request_error',
          message:
            'The payment method you provided is not attached to a customer so detachment is impossible.',
        })
      Object.assign(method, { customer: null, isDetached: true })
      return this.methodOf(id)
    },
    createCustomer(params: Params) {
      const customer = { ...made('cus'), object: 'customer', ...params }
      customers.set(customer.id, customer)
      return customer
    },
    createSetup({ customer, metadata = {} }: Params): WireSetup {
      named(customers, customer, 'customer')
      const setup = { ...made('seti'), object: 'setup_intent', customer, metadata, payment_method: null }
      const status = 'requires_payment_method'
      const whole = { ...setup, status, client_secret: `${setup.id}_secret_${newId()}` } as WireSetup
      setups.set(whole.id, whole)
      return whole
    },
    setupsOf: (customer: unknown) =>
      [...setups.values()].filter(setup => setup.customer === customer).reverse(),
    openCardPage(params: Params) {
      named(customers, params.customer, 'customer')
      const session = {
        ...made('cs_test'),
        object: 'checkout.session',
        mode: params.mode,
        setup_intent: null,
      }
      const url = `https://checkout.stripe.test/c/pay/${session.id}#fid`
      pages.set(url, params)
      return { ...session, status: 'open', url }
    },
    /** Returns the address to which the payer is sent. The setup is created when the card is given. */
    giveCardOnPage(url: string, number: string): string {
      const { customer, setup_intent_data, success_url } = defined(pages.get(url))
      const { metadata } = setup_intent_data as Params
      this.giveCard(this.createSetup({ customer: defined(customer), metadata: defined(metadata) }).id, number)
      return String(success_url)
    },
    createIntent({ amount, currency, customer, payment_method, metadata = {} }: Params): WireIntent {
      named(customers, customer, 'customer')
      namedCard(payment_method)
      const start = made('pi')
      const intent = {
        ...start,
        object: 'payment_intent',
        amount: Number(amount),
        amount_received: 0,
        currency,
        customer: customer ?? null,
        payment_method: payment_method ?? null,
        metadata,
        last_payment_error: null,
        latest_charge: null,
        next_action: null,
        status: payment_method === undefined ? 'requires_payment_method' : 'requires_confirmation',
        client_secret: `${start.id}_secret_${newId()}`,
      } as WireIntent
      intents.set(intent.id, { intent, ends: null })
      return intent
    },
    confirmIntent(id: string, { payment_method, off_session, return_url }: Params): WireIntent {
      const stored = intentOf(id)
      // payment method types follow the account, and some of them redirect
      if (return_url === undefined) throw notValid('parameter_missing', 'You must provide a `return_url`.')
      if (!isOpen(stored)) throw unexpected(stored, 'confirm')
      const methodId = payment_method ?? stored.intent.payment_method
      if (methodId !== null) namedCard(methodId)
      if (typeof methodId !== 'string')
        throw notValid('payment_intent_unexpected_state', 'It is missing a payment method.', {
          payment_intent: { ...stored.intent },
        })
      attempt(stored, methodId, off_session === 'true')
      return stored.intent
    },
    cancelIntent(id: string): WireIntent {
      const stored = intentOf(id)
      if (!isOpen(stored)) throw unexpected(stored, 'cancel')
      stored.intent.status = 'canceled'
      return stored.intent
    },
    createRefund({ payment_intent, amount, metadata = {}, reason }: Params): WireRefund {
      named(intents, payment_intent, 'payment_intent')
      const { intent } = intentOf(String(payment_intent))
      if (intent.amount_received === 0)
        throw notValid('payment_intent_unexpected_state', 'It has no successful charge to refund.')
      const left = refundsOf(payment_intent)
        .filter(({ status }) => status === 'pending' || status === 'succeeded')
        .reduce((left, { amount }) => left - amount, intent.amount_received)
      if (left === 0) throw notValid('charge_already_refunded', 'The charge has already been refunded.')
      const cents = amount === undefined ? left : Number(amount)
      if (cents > left)
        throw notValid('amount_too_large', 'Refund amount is greater than the charge has left.')
      const how = behaviourOf(defined(methods.get(String(intent.payment_method))).number)
      if (how.isDisputed) throw notValid('charge_disputed', 'The charge has been charged back.')
      const refund = {
        ...made('re'),
        object: 'refund',
        amount: cents,
        currency: intent.currency,
        payment_intent,
        metadata,
        reason: reason ?? null,
        status: how.refunds === 'pending' ? 'pending' : 'succeeded',
      } as WireRefund
      const as = how.refunds === 'pending' ? 'succeeded' : 'failed'
      refunds.set(refund.id, { refund, ends: how.refunds ? { at: now() + laterMs, as } : null })
      if (refund.status === 'succeeded') move('refund', -cents, refund.currency, { ...refund })
      return refund
    },
    /** An action of the payer in the browser, with the card of this number. */
    giveCard(setupId: string, number: string): WireSetup {
      const setup = found(setups, setupId, 'setupintent')
      setup.payment_method = addMethod(number, setup.customer as string)
      setup.status = behaviourOf(number).asks ? 'requires_action' : 'succeeded'
      return setup
    },
    pay(intentId: string, number: string): WireIntent {
      const stored = intentOf(intentId)
      if (!isOpen(stored)) throw unexpected(stored, 'confirm')
      attempt(stored, addMethod(number), false)
      return stored.intent
    },
    answerBank(id: string, isThem: boolean): WireSetup | WireIntent {
      const setup = setups.get(id)
      const methodId = String(setup ? setup.payment_method : intentOf(id).intent.payment_method)
      if (isThem) defined(methods.get(methodId)).hasAuthenticated = true
      if (setup) {
        setup.status = isThem ? 'succeeded' : 'requires_payment_method'
        if (!isThem) setup.payment_method = null
        return setup
      }
      const stored = intentOf(id)
      if (stored.intent.status !== 'requires_action') throw unexpected(stored, 'authenticate')
      if (isThem) finish(stored, defined(methods.get(methodId)).number)
      else {
        const message = 'The bank could not make sure that it is you.'
        decline(stored, { code: 'payment_intent_authentication_failure', declineCode: null, message })
      }
      return stored.intent
    },
  }
}
