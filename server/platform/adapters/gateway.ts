import { Agent as PlainAgent } from 'node:http'
import { Agent } from 'node:https'
import type { Database } from '../data/database.ts'
import {
  type Gateway,
  type GatewayAccount,
  GatewayMissing,
  GatewayRefused,
  GatewayUnknown,
} from './gateway/port.ts'
import { openSandbox } from './gateway/sandbox.ts'
import type { SandboxPages } from './gateway/sandbox-pages.ts'
import { openStripe, type StripeEndpoint } from './gateway/stripe.ts'

export type * from './gateway/port.ts'
export type { SandboxPages, TypedCard } from './gateway/sandbox-pages.ts'
export { GatewayMissing, GatewayRefused, GatewayUnknown }

/** Whether an error is one that gateways answer with. */
export function isGatewayError(error: unknown): boolean {
  return [GatewayMissing, GatewayRefused, GatewayUnknown].some(kind => error instanceof kind)
}

/** The gateways that this process reaches. */
export type Gateways = {
  of(account: GatewayAccount): Gateway
  /** Where payers of a sandbox account stand; undefined for a gateway that has pages of its own. */
  sandboxPagesOf(account: GatewayAccount): SandboxPages | undefined
  close(): void
}

/**
 * Opens the way to gateways of a server at `publicUrl`. The sandbox keeps its books in `database`; Stripe is elsewhere than
 * at home in tests.
 */
export function openGateways(database: Database, publicUrl: string, stripe: StripeEndpoint = {}): Gateways {
  // the connections of all accounts
  const [agent, plainAgent] = [new Agent({ keepAlive: true }), new PlainAgent({ keepAlive: true })]
  return {
    of: account =>
      account.adapter === 'stripe'
        ? openStripe(account, stripe, publicUrl, stripe.url?.startsWith('http:') ? plainAgent : agent)
        : openSandbox(database, account),
    sandboxPagesOf: account =>
      account.adapter === 'sandbox' ? openSandbox(database, account).desk : undefined,
    close() {
      agent.destroy()
      plainAgent.destroy()
    },
  }
}
