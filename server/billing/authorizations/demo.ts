import { now } from '#platform/clock.ts'
import type { Tx } from '#platform/data/db.ts'
import { newId } from '#platform/ids.ts'
import { required } from '#platform/required.ts'
import type { Services } from '#platform/services.ts'
import { lockAccount, upsertAccount } from '../gateway/account/gateway-account.sql.ts'
import { insertAuthorization, setActive, setAuthorizationSetup } from './authorization.sql.ts'
import { insertCustomer, upsertCard } from './cards/saved-card.sql.ts'
import { currentText, storeText } from './consent/consent.sql.ts'

/** The services that the demo needs. */
export type DemoServices = Pick<Services, 'gateways'>

const testCard = '4242424242424242'

/**
 * Connects the sandbox and saves a card that may be charged for all invoices of a user, as if the user had entered
 * it on the card page. The sandbox writes in transactions of its own.
 */
export async function seedSavedCard(
  tx: Tx,
  { gateways }: DemoServices,
  applicationId: string,
  userId: string,
): Promise<void> {
  const { organizationId } = tx
  const user = { applicationId, userId }
  const keys = { secretKey: null, webhookSecret: null }
  const account = { organizationId, id: newId(), adapter: 'sandbox', ...keys } as const
  const gateway = gateways.of(account)
  const state = await gateway.readAccount()
  await lockAccount(tx)
  await upsertAccount(tx, {
    id: account.id,
    adapter: account.adapter,
    gateway_id: state.id,
    status: 'READY',
    currencies: state.currencies,
    secret_key: null,
    webhook_secret: null,
    publishable_key: null,
    is_test: true,
  })

  const consent = await currentText(tx, 'es')
  await storeText(tx, consent)
  const authorizationId = newId()
  await insertAuthorization(tx, {
    id: authorizationId,
    application_id: applicationId,
    external_user_id: userId,
    gateway_account_id: account.id,
    scope: 'RECURRING',
    invoice_id: null,
    currency: 'eur',
    limit_cents: 50_000,
    expires_at: null,
    consent_locale: consent.locale,
    consent_version: consent.version,
    consent_sha256: consent.sha256,
    ip: '203.0.113.20',
    user_agent: 'Mozilla/5.0',
  })

  const newCustomer = { name: null, email: null, metadata: { organizationId, applicationId, userId } }
  const customer = await gateway.createCustomer(newCustomer, `${authorizationId}:customer`)
  await insertCustomer(tx, user, account.id, customer.id)
  const metadata = { organizationId, authorizationId }
  const setup = await gateway.createSetup({ customerId: customer.id, metadata }, `${authorizationId}:setup`)
  await setAuthorizationSetup(tx, authorizationId, setup.id)
  const card = { number: testCard, expiresMonth: 12, expiresYear: now().getUTCFullYear() + 3 }
  const sandboxPages = required(gateways.sandboxPagesOf(account), 'the pages of the sandbox')
  const { methodId } = await sandboxPages.submitCard(setup.clientSecret, card)
  const cardId = await upsertCard(
    tx,
    user,
    account.id,
    await gateway.readMethod(required(methodId, 'the card of a setup')),
  )
  await setActive(tx, authorizationId, required(cardId, 'the id of a new card'))
}
