import { createAuthorization } from '#contract/billing/authorizations.ts'
import { limits } from '#contract/limits.ts'
import type { Input } from '#contract/operation.ts'
import type { Tx } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import { applicationOf, type Caller } from '#platform/http/caller.ts'
import { runOnce } from '#platform/http/idempotency.ts'
import { workflow } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { usableAccount } from '../charges/charge/charge-invoice.rules.ts'
import { findAccount } from '../gateway/account/gateway-account.sql.ts'
import { invoiceFor } from '../invoices/invoice.access.ts'
import { assertDue, assertIssued } from '../invoices/invoice.rules.ts'
import { showAuthorization } from './authorization.json.ts'
import { assertCurrencyOf, assertValid } from './authorization.rules.ts'
import { insertAuthorization, lockUserAndCount, readAuthorization } from './authorization.sql.ts'
import { cardPageUrl } from './card-page/card-page.token.ts'
import { currentText, storeText } from './consent/consent.sql.ts'
import { openSetup } from './setup.ts'

type Body = Input<typeof createAuthorization>['body']

/**
 * Stores the consent before the gateway is called. A call that is repeated with its Idempotency-Key continues where
 * the first one stopped: the secret of a setup is never stored, so it is read from the gateway again.
 */
export const create = workflow(
  createAuthorization,
  async ({ db, caller, services, body, transact, idempotencyKey }) => {
    assertValid(body)
    const id = newId()
    const record = (tx: Tx) => recordConsent(tx, caller, id, body)
    const place = {
      caller: applicationOf(caller),
      operation: 'POST /payment-authorizations',
      body,
      status: 201,
    }
    const recorded = await transact(
      tx =>
        idempotencyKey === undefined
          ? record(tx)
          : runOnce(tx, services.cipher, { ...place, key: idempotencyKey }, () => record(tx)),
      { subject: id, changed: ['authorization'] },
    )
    const authorization = await readAuthorization(db, recorded.id)
    const { setup, account } = await openSetup(services, caller.organizationId, authorization)
    return {
      ...showAuthorization(authorization),
      setup: {
        clientSecret: setup.clientSecret,
        publishableKey: account.publishable_key,
        cardUrl: cardPageUrl(services, caller.organizationId, authorization.id),
      },
    }
  },
)

async function recordConsent(tx: Tx, caller: Caller, id: string, body: Body): Promise<{ id: string }> {
  const { userId, scope, invoiceId, locale, version, limitCents = null, expiresAt = null } = body
  const applicationId = applicationOf(caller)
  const live = (await lockUserAndCount(tx, { applicationId, userId })) ?? fail('EXTERNAL_USER_NOT_FOUND')
  const [invoice, account, text] = await Promise.all([
    invoiceId === undefined ? undefined : invoiceFor(tx, caller, invoiceId, userId),
    findAccount(tx),
    currentText(tx, locale),
  ])
  if (invoice) {
    assertIssued(invoice)
    assertDue(invoice)
  }
  const currency = body.currency ?? invoice?.currency ?? 'eur'
  if (invoice) assertCurrencyOf(invoice, currency)
  const { id: gateway_account_id } = usableAccount(account, currency)
  if (text.locale !== locale || text.version !== version) fail('CONSENT_OUTDATED')
  if (live >= limits.authorizationsPerUser) fail('TOO_MANY_AUTHORIZATIONS')
  await storeText(tx, text)
  await insertAuthorization(tx, {
    id,
    application_id: applicationId,
    external_user_id: userId,
    gateway_account_id,
    scope,
    invoice_id: invoiceId ?? null,
    currency,
    limit_cents: limitCents,
    expires_at: expiresAt,
    consent_locale: locale,
    consent_version: version,
    consent_sha256: text.sha256,
    ip: body.ip,
    user_agent: body.userAgent,
  })
  return { id }
}
