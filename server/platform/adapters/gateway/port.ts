/** A payment gateway as the product needs it. Ids and keys are texts; money is in the smallest unit of its currency. */
export type Gateway = {
  /** Which account its keys open, whether money can be collected, and in which currencies (ISO 4217, small letters). */
  readAccount(): Promise<{ id: string; isReady: boolean; currencies: string[] }>
  createCustomer(
    input: { name: string | null; email: string | null; metadata: Metadata },
    key: string,
  ): Promise<{ id: string }>
  /** A card is given in the payer's browser, with the secret of a setup. */
  createSetup(input: { customerId: string; metadata: Metadata }, key: string): Promise<Setup>
  readSetup(id: string): Promise<Setup>
  /** Those of a customer, the newest hundred. */
  listSetupsOf(customerId: string): Promise<Setup[]>
  /**
   * Where the gateway itself asks for a card, for a day, and sends the payer to `backUrl` then. What is given there is a
   * setup of the customer with this metadata. Undefined: it has no such page, and a page of ours asks.
   */
  openCardPage(
    input: { customerId: string; metadata: Metadata; backUrl: string },
    key: string,
  ): Promise<string | undefined>
  /** A card as it was given. Its number and code never come here. */
  readMethod(id: string): Promise<Card>
  /** Takes a card from its customer, for good: nobody can charge it any more. One that was taken already is. */
  detachMethod(id: string, key: string): Promise<void>
  /** An intent that is not confirmed: no money can move yet. */
  createIntent(input: NewIntent, key: string): Promise<Intent>
  /**
   * Tries to collect. Without `methodId` with the one that the intent was made with. A card that is declined, and one
   * whose bank wants to ask while nobody is there (code `authentication_required`), is GatewayRefused with the intent,
   * which waits for another try.
   */
  confirmIntent(id: string, input: { methodId?: string; isOffSession: boolean }, key: string): Promise<Intent>
  readIntent(id: string): Promise<Intent>
  /** Nothing will be collected any more. Answers the intent as it is when that comes too late. */
  cancelIntent(id: string, key: string): Promise<Intent>
  createRefund(
    input: { intentId: string; amountCents: number; reason: string | null; metadata: Metadata },
    key: string,
  ): Promise<GatewayRefund>
  readRefund(id: string): Promise<GatewayRefund>
  /** The newest first. */
  listRefundsOf(intentId: string): Promise<GatewayRefund[]>
  /** Every time that its holder objected. */
  listDisputesOf(intentId: string): Promise<GatewayDispute[]>
  /** Everything that moved money from `from` until `to`, page by page, in no promised order. */
  listMovements(from: Date, to: Date): AsyncIterable<Movement>
  /**
   * What a notice of the gateway is about, once its signature and age are right; undefined when they are not. It is a hint
   * to look: what it says besides is not believed.
   */
  readNotice(
    body: Buffer,
    headers: Record<string, string | string[] | undefined>,
  ): Promise<Notice | undefined>
}

/** One account at a gateway, with what opens it. */
export type GatewayAccount = {
  organizationId: string
  id: string
  adapter: 'stripe' | 'sandbox'
  secretKey: string | null
  webhookSecret: string | null
}

export type Metadata = Record<string, string>
export type NewIntent = {
  amountCents: number
  currency: string
  customerId: string | null
  methodId: string | null
  metadata: Metadata
}
export type IntentStatus =
  | 'requires_payment_method'
  | 'requires_confirmation'
  | 'requires_action'
  | 'processing'
  | 'succeeded'
  | 'canceled'
export type Failure = { code: string | null; declineCode: string | null; message: string | null }
export type Intent = {
  id: string
  status: IntentStatus
  amountCents: number
  /** What was really collected. */
  receivedCents: number
  currency: string
  clientSecret: string
  /** Why the last try to collect did not. */
  failure: Failure | null
  metadata: Metadata
}
export type Setup = {
  id: string
  status: 'open' | 'succeeded' | 'canceled'
  clientSecret: string
  methodId: string | null
  metadata: Metadata
}
export type Card = { id: string; brand: string; last4: string; expiresMonth: number; expiresYear: number }
export type GatewayRefund = {
  id: string
  intentId: string
  amountCents: number
  currency: string
  status: 'pending' | 'succeeded' | 'failed' | 'canceled'
  failureCode: string | null
  metadata: Metadata
}
export type GatewayDispute = {
  id: string
  /** What it took, and gave back when it was won: as in the ledger, what came in is positive. Empty: it took nothing. */
  movedCents: number[]
  /** It is open, and nothing of the payment can be given back meanwhile. */
  holdsRefunds: boolean
}
export type Movement = {
  kind: 'PAYMENT' | 'REFUND' | 'DISPUTE'
  /** Of the intent, refund or dispute. */
  objectId: string
  intentId: string
  /** As in the ledger: what came in is positive. A refund that failed later, or a dispute that was won, comes in again. */
  amountCents: number
  currency: string
  /** Of the object; a payment has those of its intent. */
  metadata: Metadata
  at: Date
}
export type Notice = {
  id: string
  about: 'intent' | 'setup' | 'refund' | 'dispute' | 'account' | 'other'
  objectId: string
  intentId: string | null
}

/** The gateway said no, for sure: nothing was done. `failure` says why, `intent` is what it is about, when there is one. */
export class GatewayRefused extends Error {
  readonly failure: Failure
  readonly intent: Intent | undefined
  constructor(failure: Failure, intent?: Intent) {
    super(failure.message ?? failure.code ?? 'refused')
    this.failure = failure
    this.intent = intent
  }
}
/** No answer, or none that can be read: it may have been done or not. Only looking again tells. */
export class GatewayUnknown extends Error {}
/** There is no such object at the gateway. */
export class GatewayMissing extends Error {}

/** What a gateway does with customers and their cards. */
export type CardGateway = Pick<
  Gateway,
  | 'createCustomer'
  | 'createSetup'
  | 'readSetup'
  | 'listSetupsOf'
  | 'openCardPage'
  | 'readMethod'
  | 'detachMethod'
>
