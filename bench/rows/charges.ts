import { openGateways } from '#platform/adapters/gateway.ts'
import { type Database, openDatabase } from '#platform/data/database.ts'
import { newId } from '#platform/ids.ts'
import { plantAccount, plantPayer } from '#tests/support/billing/charges.ts'
import { plantUser } from '#tests/support/billing/invoices.ts'
import { insertRows, onPool } from '#tests/support/rows.ts'
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
    url: environment.env.DATABASE_URL,
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
  const server = onPool(environment.sql)
  const { clientId } = await plantUser(server, application, { userId: 'user' })
  const accountId = await plantAccount(server, organization.id, { currencies: ['eur'] })
  const card = { id: 'pm_bench', number: '4242424242424242', brand: 'visa', last4: '4242' }
  const method = { ...card, expiresMonth: 12, expiresYear: 2099, hasAuthenticated: false }
  const inSandbox = { organization_id: organization.id }
  await insertRows(server, 'sandbox_object', [
    { ...inSandbox, id: 'cus_bench', kind: 'customer', body: {} },
    { ...inSandbox, id: 'pm_bench', kind: 'method', body: method },
  ])
  const atGateway = { customerId: 'cus_bench', gatewayMethodId: 'pm_bench' }
  await plantPayer(server, application, accountId, 'user', atGateway)
  const sql = (text: string, ...values: unknown[]) =>
    environment.sql.query(text, [organization.id, ...values]).then(() => {})
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
