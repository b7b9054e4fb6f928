import type { GatewayCredentials } from '#platform/adapters/gateway.ts'
import { newId } from '#platform/ids.ts'
import type { Cipher } from '#platform/security/cipher.ts'
import { encryptKey } from '#server/billing/gateway/account-keys.ts'
import { defined } from '../elements.ts'
import type { TestApplication } from '../integrations/applications.ts'
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
  server: Pick<TestServer, 'sql'>,
  organizationId: string,
  given: {
    currencies?: string[]
    stripe?: { cipher: Cipher; secretKey: string; webhookSecret: string }
  } = {},
): Promise<string> {
  const id = newId()
  const { currencies = ['eur', 'usd'], stripe } = given
  const hidden = (key: string) => encryptKey(stripe!.cipher, organizationId, key)
  await server.sql(
    `insert into gateway_account (organization_id, id, adapter, gateway_id, status, currencies, is_test, secret_key,
       webhook_secret)
     values ($1, $2, $3, $2, 'READY', $4, true, $5, $6)`,
    [
      organizationId,
      id,
      stripe ? 'stripe' : 'sandbox',
      currencies,
      ...(stripe ? [hidden(stripe.secretKey), hidden(stripe.webhookSecret)] : [null, null]),
    ],
  )
  return id
}

/** The gateway account of an organization, inserted if missing. */
export async function currentAccount(
  server: Pick<TestServer, 'sql'>,
  organizationId: string,
): Promise<string> {
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
  server: Pick<TestServer, 'sql'>,
  { id: applicationId, organizationId }: Of,
  accountId: string,
  userId: string,
  given: PayerOptions = {},
): Promise<PlantedPayer> {
  const { customerId = `cus_${newId()}`, gatewayMethodId = `pm_${newId()}`, currency = 'eur' } = given
  const { limitCents = null, scope = 'RECURRING', invoiceId = null } = given
  const [methodId, authorizationId] = [newId(), newId()]
  await server.sql(
    `insert into consent_text (organization_id, locale, version, text, sha256) values ($1, 'es', 1, 'Sí', 'x')
     on conflict do nothing`,
    [organizationId],
  )
  await server.sql(
    `insert into gateway_customer (organization_id, gateway_account_id, application_id, external_user_id, customer_id)
     values ($1, $2, $3, $4, $5) on conflict do nothing`,
    [organizationId, accountId, applicationId, userId, customerId],
  )
  await server.sql(
    `insert into payment_method (organization_id, id, application_id, external_user_id, gateway_account_id,
       gateway_method_id, brand, last4, expires_month, expires_year, status)
     values ($1, $2, $3, $4, $5, $6, 'visa', '4242', 12, 2099, 'ACTIVE')`,
    [organizationId, methodId, applicationId, userId, accountId, gatewayMethodId],
  )
  await server.sql(
    `insert into payment_authorization (organization_id, id, application_id, external_user_id, status, scope, invoice_id,
       currency, limit_cents, payment_method_id, gateway_account_id, consent_locale, consent_version, consent_sha256,
       accepted_at, ip, user_agent)
     values ($1, $2, $3, $4, 'ACTIVE', $5, $6, $7, $8, $9, $10, 'es', 1, 'x', now(), '203.0.113.7', 'Test')`,
    [
      organizationId,
      authorizationId,
      applicationId,
      userId,
      scope,
      invoiceId,
      currency,
      limitCents,
      methodId,
      accountId,
    ],
  )
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
    : methodId!
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
