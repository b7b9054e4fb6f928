import { Agent as PlainAgent } from 'node:http'
import { Agent } from 'node:https'
import type { Database } from '../data/database.ts'
import { inSpan } from '../traces.ts'
import {
  type Gateway,
  type GatewayCredentials,
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

export function isGatewayError(error: unknown): boolean {
  return [GatewayMissing, GatewayRefused, GatewayUnknown].some(kind => error instanceof kind)
}

export type Gateways = {
  of(account: GatewayCredentials): Gateway
  /** The pages of a sandbox account; undefined for a gateway that has its own. */
  sandboxPagesOf(account: GatewayCredentials): SandboxPages | undefined
  close(): void
}

/**
 * Opens the gateways of a server at `publicUrl`. The sandbox stores its objects in `database`; tests point Stripe
 * at another address.
 */
export function openGateways(database: Database, publicUrl: string, stripe: StripeEndpoint = {}): Gateways {
  // the connections of all accounts
  const [agent, plainAgent] = [new Agent({ keepAlive: true }), new PlainAgent({ keepAlive: true })]
  return {
    of: account =>
      withSpans(
        account.adapter === 'stripe'
          ? openStripe(account, stripe, publicUrl, stripe.url?.startsWith('http:') ? plainAgent : agent)
          : openSandbox(database, account),
        account.adapter,
      ),
    sandboxPagesOf: account =>
      account.adapter === 'sandbox' ? openSandbox(database, account).pages : undefined,
    close() {
      agent.destroy()
      plainAgent.destroy()
    },
  }
}

/** A gateway each of whose requests is a span. Movements are read page by page, and notices are not requests. */
function withSpans(gateway: Gateway, adapter: GatewayCredentials['adapter']): Gateway {
  const { listMovements, readNotice, ...requests } = gateway
  const traced = Object.fromEntries(
    Object.entries(requests).map(([name, request]) => [
      name,
      (...input: unknown[]) =>
        inSpan({ name: `gateway ${name}`, kind: 'client', attributes: { 'patio.gateway': adapter } }, () =>
          (request as (...input: unknown[]) => Promise<unknown>)(...input),
        ),
    ]),
  ) as typeof requests
  return { ...traced, listMovements, readNotice }
}
