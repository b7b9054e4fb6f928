import type { GatewayCredentials } from '#platform/adapters/gateway.ts'
import { newId } from '#platform/ids.ts'
import type { Cipher } from '#platform/security/cipher.ts'
import { encryptKey } from '#server/billing/gateway/account-keys.ts'
import { defined } from '../elements.ts'
import type { TestApplication } from '../integrations/applications.ts'
import { insertRows, type SqlRunner } from '../rows.ts'
import type { TestServer } from '../test-server.ts'

type Of = Pick<TestApplication, 'id' | 'organizationId'>
type PayerOptions = {
  /** The gateway's ids. */
  customerId?: string
  gatewayMethodId?: string
  limitCents?: number | null
  currency?: string
  scope?: 'RECURRING' | 'SINGLE'
  invoiceId?: string
}
export type PlantedPayer = {
  authorizationId: string
  methodId: string
  gatewayMethodId: string
  customerId: string
}

/** Inserts a gateway account that is ready. */
export async function plantAccount(
  server: SqlRunner,
  organizationId: string,
  given: {
    currencies?: string[]
    stripe?: { cipher: Cipher; secretKey: string; webhookSecret: string }
  } = {},
): Promise<string> {
  const id = newId()
  const { currencies = ['eur', 'usd'], stripe } = given
  await insertRows(server, 'gateway_account', [
    {
      organization_id: organizationId,
      id,
      adapter: stripe ? 'stripe' : 'sandbox',
      gateway_id: id,
      status: 'READY',
      currencies,
      is_test: true,
      secret_key: stripe ? encryptKey(stripe.cipher, organizationId, stripe.secretKey) : null,
      webhook_secret: stripe ? encryptKey(stripe.cipher, organizationId, stripe.webhookSecret) : null,
    },
  ])
  return id
}

/** The gateway account of an organization, inserted if missing. */
export async function currentAccount(server: SqlRunner, organizationId: string): Promise<string> {
  await server.sql(
    `update gateway_account set status = 'DISABLED' where organization_id = $1 and adapter <> 'sandbox'`,
    [organizationId],
  )
  const [there] = await server.sql<{ id: string }>(
    `select id from gateway_account where organization_id = $1 and status <> 'DISABLED'`,
    [organizationId],
  )
  return there?.id ?? plantAccount(server, organizationId)
}

/** Inserts a user's card with an authorization to charge it. */
export async function plantPayer(
  server: SqlRunner,
  { id: applicationId, organizationId }: Of,
  accountId: string,
  userId: string,
  given: PayerOptions = {},
): Promise<PlantedPayer> {
  const { customerId = `cus_${newId()}`, gatewayMethodId = `pm_${newId()}`, currency = 'eur' } = given
  const { limitCents = null, scope = 'RECURRING', invoiceId = null } = given
  const [methodId, authorizationId] = [newId(), newId()]
  const ofUser = {
    organization_id: organizationId,
    application_id: applicationId,
    external_user_id: userId,
    gateway_account_id: accountId,
  }
  await insertRows(server, 'consent_text', [{ organization_id: organizationId }], { orSkip: true })
  await insertRows(server, 'gateway_customer', [{ ...ofUser, customer_id: customerId }], { orSkip: true })
  await insertRows(server, 'payment_method', [
    {
      ...ofUser,
      id: methodId,
      gateway_method_id: gatewayMethodId,
      brand: 'visa',
      last4: '4242',
      expires_month: 12,
      expires_year: 2099,
      status: 'ACTIVE',
    },
  ])
  await insertRows(server, 'payment_authorization', [
    {
      ...ofUser,
      id: authorizationId,
      scope,
      invoice_id: invoiceId,
      currency,
      limit_cents: limitCents,
      payment_method_id: methodId,
    },
  ])
  return { authorizationId, methodId, gatewayMethodId, customerId }
}

/** Saves a card in the sandbox, by its number, with an authorization to charge it. */
export async function sandboxPayer(
  server: TestServer,
  application: Of,
  accountId: string,
  userId: string,
  given: PayerOptions & { card?: string } = {},
): Promise<PlantedPayer> {
  const account: GatewayCredentials = {
    organizationId: application.organizationId,
    id: accountId,
    adapter: 'sandbox',
    secretKey: null,
    webhookSecret: null,
  }
  const { gateways } = server.api.services
  const gateway = gateways.of(account)
  const { id: customerId } = await gateway.createCustomer({ name: null, email: null, metadata: {} }, newId())
  const setup = await gateway.createSetup({ customerId, metadata: {} }, newId())
  const card = { number: given.card ?? cards.good, expiresMonth: 12, expiresYear: 2099 }
  const sandboxPages = defined(gateways.sandboxPagesOf(account))
  const { isAuthenticationRequired, methodId } = await sandboxPages.submitCard(setup.clientSecret, card)
  const gatewayMethodId = isAuthenticationRequired
    ? defined((await sandboxPages.answerSetup(setup.clientSecret, true)).methodId)
    : defined(methodId)
  return plantPayer(server, application, accountId, userId, { ...given, customerId, gatewayMethodId })
}

/** Test card numbers of the sandbox, by behaviour. */
export const cards = {
  good: '4242424242424242',
  declined: '4000000000000341',
  poor: '4000000000009995',
  asks: '4000002760003184',
  slow: '4000000000001000',
  slowAndDeclined: '4000000000001018',
  silent: '4000000000001026',
} as const
