/** A payment gateway as the product needs it. Amounts are in the smallest unit of their currency. */
export type Gateway = {
  /** The account that the keys open, whether it can collect money, and its currencies (ISO 4217, lower case). */
  readAccount(): Promise<{ id: string; isReady: boolean; currencies: string[] }>
  createCustomer(
    input: { name: string | null; email: string | null; metadata: Metadata },
    key: string,
  ): Promise<{ id: string }>
  /** The payer enters the card in the browser, with the client secret of the setup. */
  createSetup(input: { customerId: string; metadata: Metadata }, key: string): Promise<Setup>
  readSetup(id: string): Promise<Setup>
  /** The newest hundred of a customer. */
  listSetupsOf(customerId: string): Promise<Setup[]>
  /**
   * The address of the gateway's own card page, valid for a day; it sends the payer to `backUrl` afterwards. The
   * page creates a setup of the customer with this metadata. Undefined: the gateway has no such page, and the
   * product's page is used.
   */
  openCardPage(
    input: { customerId: string; metadata: Metadata; backUrl: string },
    key: string,
  ): Promise<string | undefined>
  /** Never the number or the security code. */
  readMethod(id: string): Promise<Card>
  /** Detaches a card from its customer for good: it cannot be charged any more. Detaching twice succeeds. */
  detachMethod(id: string, key: string): Promise<void>
  /** Creates an unconfirmed intent: no money can move yet. */
  createIntent(input: NewIntent, key: string): Promise<Intent>
  /**
   * Tries to collect, by default with the method of the intent. A declined card throws GatewayRefused with the
   * intent, which waits for another try; so does a bank that asks for authentication while the payer is absent
   * (code `authentication_required`).
   */
  confirmIntent(id: string, input: { methodId?: string; isOffSession: boolean }, key: string): Promise<Intent>
  readIntent(id: string): Promise<Intent>
  /** Cancels an intent. Returns it as it is when it is too late to cancel. */
  cancelIntent(id: string, key: string): Promise<Intent>
  createRefund(
    input: { intentId: string; amountCents: number; reason: string | null; metadata: Metadata },
    key: string,
  ): Promise<GatewayRefund>
  readRefund(id: string): Promise<GatewayRefund>
  /** The newest first. */
  listRefundsOf(intentId: string): Promise<GatewayRefund[]>
  listDisputesOf(intentId: string): Promise<GatewayDispute[]>
  /** Every movement of money between `from` and `to`, page by page, in no particular order. */
  listMovements(from: Date, to: Date): AsyncIterable<Movement>
  /**
   * The subject of a gateway notice; undefined when its signature or age is invalid. Its other content is not
   * trusted: read the object from the gateway.
   */
  readNotice(
    body: Buffer,
    headers: Record<string, string | string[] | undefined>,
  ): Promise<GatewayNotification | undefined>
}

/** An account at a gateway, with its keys. */
export type GatewayCredentials = {
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
  /** The amount that was collected. */
  receivedCents: number
  currency: string
  clientSecret: string
  /** Why the last try failed. */
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
  /**
   * The amounts that it took, and that it returned when it was won. As in the ledger, incoming money is
   * positive. Empty: it took nothing.
   */
  movedCents: number[]
  /** It is open and prevents refunds of the payment. */
  holdsRefunds: boolean
}
export type Movement = {
  kind: 'PAYMENT' | 'REFUND' | 'DISPUTE'
  /** The id of the intent, refund or dispute. */
  objectId: string
  intentId: string
  /**
   * As in the ledger, incoming money is positive. A refund that failed later and a dispute that was won come in
   * again.
   */
  amountCents: number
  currency: string
  /** The metadata of the object; a payment has those of its intent. */
  metadata: Metadata
  at: Date
}
export type GatewayNotification = {
  id: string
  about: 'intent' | 'setup' | 'refund' | 'dispute' | 'account' | 'other'
  objectId: string
  intentId: string | null
}

/** A definite refusal: nothing was done. */
export class GatewayRefused extends Error {
  readonly failure: Failure
  readonly intent: Intent | undefined
  constructor(failure: Failure, intent?: Intent) {
    super(failure.message ?? failure.code ?? 'refused')
    this.failure = failure
    this.intent = intent
  }
}
/** No answer, or an unreadable one: the request may have been executed. Only reading the object tells. */
export class GatewayUnknown extends Error {}
/** The object does not exist at the gateway. */
export class GatewayMissing extends Error {}

/** The part of a gateway for customers and cards. */
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
