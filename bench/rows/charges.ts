import { openGateways } from '#platform/adapters/gateway.ts'
import { type Database, openDatabase } from '#platform/data/database.ts'
import { newId } from '#platform/ids.ts'
import { bounds } from '../claims.ts'
import type { BenchEnvironment } from '../environment.ts'
import { makeApplication, makeOrganization, tokensOf } from '../people.ts'
import type { Figure } from '../report.ts'
import { median, percentile, short, spread } from '../statistics.ts'

const concurrency = 4

/**
 * The duration of a charge without its gateway: the built-in one keeps its books in the same database, and
 * its time for the same calls is measured in the same round and subtracted.
 */
export async function charge(environment: BenchEnvironment): Promise<Figure[]> {
  const perRound = Math.ceil(environment.size.pairs / 8)
  const { token, organizationId, accountId, invoices } = await chargeable(
    environment,
    perRound * (environment.size.rounds + 1),
  )
  const database = await openBooks(environment)
  const account = { organizationId, id: accountId, adapter: 'sandbox' } as const
  const gateway = openGateways(database, 'http://patio.test').of({
    ...account,
    secretKey: null,
    webhookSecret: null,
  })
  const [own, theirs]: [number[], number[]] = [[], []]
  for (let round = 0; round <= environment.size.rounds; round++) {
    const charges = await timed(invoices.splice(0, perRound), async id => {
      const answer = await fetch(
        `http://127.0.0.1:${environment.api.port}/api/billing/invoices/${id}/charge`,
        {
          method: 'POST',
          headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
          body: JSON.stringify({ idempotencyKey: id }),
        },
      )
      const { status } = (await answer.json()) as { status: string }
      if (status !== 'SUCCEEDED') throw new Error(`The charge is ${status}`)
    })
    const questions = await timed(Array.from({ length: perRound }, newId), async key => {
      const metadata = { invoiceId: key, attemptId: key, organizationId }
      const given = { amountCents: 12_100, currency: 'eur', customerId: 'cus_bench', methodId: 'pm_bench' }
      const { id } = await gateway.createIntent({ ...given, metadata }, `${key}:create`)
      await gateway.confirmIntent(id, { isOffSession: true }, `${key}:confirm`)
      await gateway.readIntent(id)
    })
    if (round === 0) {
      // the first one warms up; plans for empty tables are renewed, as happens within a minute anyway
      await environment.sql.query('vacuum analyze')
      continue
    }
    theirs.push(median(questions))
    own.push(percentile(charges, 0.95) - median(questions))
  }
  await database.close()
  const [ownMs, theirMs] = [short(spread(own).median), short(spread(theirs).median)]
  return [
    {
      name: 'charge',
      value: spread(own.map(ms => ms / bounds.chargeMs)),
      raw: [`p95 ${ownMs} ms beside ${theirMs} ms of the gateway, with ${concurrency} at once`],
    },
  ]
}

/** The duration of each task in milliseconds, some at once. */
async function timed(things: string[], work: (thing: string) => Promise<void>): Promise<number[]> {
  const times: number[] = []
  const worker = async () => {
    for (let thing = things.pop(); thing !== undefined; thing = things.pop()) {
      const startedAt = performance.now()
      await work(thing)
      times.push(performance.now() - startedAt)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return times
}

function openBooks(environment: BenchEnvironment): Promise<Database> {
  return openDatabase({
    url: environment.env.DATABASE_URL!,
    poolSize: concurrency,
    connectTimeoutMs: 2_000,
    statementTimeoutMs: 4_000,
    lockTimeoutMs: 3_000,
    idleInTransactionTimeoutMs: 5_000,
    applicationName: 'bench gateway',
  })
}

type Chargeable = { token: string; organizationId: string; accountId: string; invoices: string[] }

/** Invoices of an external user with a saved card and an authorization. */
async function chargeable(environment: BenchEnvironment, count: number): Promise<Chargeable> {
  const organization = await makeOrganization(environment.sql, 'charges', 1)
  const [token = ''] = await tokensOf(organization)
  const application = await makeApplication(environment.sql, organization, [])
  const [clientId, accountId, methodId] = [newId(), newId(), newId()]
  const sql = (text: string, ...values: unknown[]) =>
    environment.sql.query(text, [organization.id, ...values]).then(() => {})
  await sql(
    `insert into crm_client (organization_id, id, name, name_folded, search) values ($1, $2, 'C', 'c', ' c')`,
    clientId,
  )
  await sql(
    `insert into external_user (organization_id, application_id, external_id, client_id) values ($1, $2, 'user', $3)`,
    application.id,
    clientId,
  )
  await sql(
    `insert into gateway_account (organization_id, id, adapter, gateway_id, status, currencies, is_test)
     values ($1, $2, 'sandbox', $2, 'READY', '{eur}', true)`,
    accountId,
  )
  const card = { id: 'pm_bench', number: '4242424242424242', brand: 'visa', last4: '4242' }
  await sql(
    `insert into sandbox_object (organization_id, id, kind, body) values ($1, 'cus_bench', 'customer', '{}'),
       ($1, 'pm_bench', 'method', $2)`,
    JSON.stringify({ ...card, expiresMonth: 12, expiresYear: 2099, hasAuthenticated: false }),
  )
  await sql(
    `insert into gateway_customer (organization_id, gateway_account_id, application_id, external_user_id, customer_id)
     values ($1, $2, $3, 'user', 'cus_bench')`,
    accountId,
    application.id,
  )
  await sql(
    `insert into payment_method (organization_id, id, application_id, external_user_id, gateway_account_id,
       gateway_method_id, brand, last4, expires_month, expires_year, status)
     values ($1, $2, $3, 'user', $4, 'pm_bench', 'visa', '4242', 12, 2099, 'ACTIVE')`,
    methodId,
    application.id,
    accountId,
  )
  await sql(
    `insert into consent_text (organization_id, locale, version, text, sha256) values ($1, 'es', 1, 'Sí', 'x')`,
  )
  await sql(
    `insert into payment_authorization (organization_id, id, application_id, external_user_id, status, scope, currency,
       gateway_account_id, payment_method_id, consent_locale, consent_version, consent_sha256, accepted_at, ip, user_agent)
     values ($1, $2, $3, 'user', 'ACTIVE', 'RECURRING', 'eur', $4, $5, 'es', 1, 'x', now(), '203.0.113.7', 'Bench')`,
    newId(),
    application.id,
    accountId,
    methodId,
  )
  const invoices = Array.from({ length: count }, newId)
  await sql(
    `insert into invoice (organization_id, id, application_id, external_user_id, client_id, lifecycle, series, number,
       issue_date, due_date, currency, lines, taxes, subtotal_cents, tax_cents, total_cents, issued_at)
     select $1, id, $3, 'user', $4, 'ISSUED', 'B2026', 'B2026-' || n, '2026-11-02', '2999-12-02', 'eur', '[]', '[]',
       10000, 2100, 12100, now()
     from unnest($2::text[]) with ordinality g (id, n)`,
    invoices,
    application.id,
    clientId,
  )
  return { token, organizationId: organization.id, accountId, invoices }
}
