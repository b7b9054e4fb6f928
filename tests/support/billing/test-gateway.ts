import pg from 'pg'
import { openGateways } from '#platform/adapters/gateway.ts'
import { openDatabase } from '#platform/data/database.ts'
import { openLog } from '#platform/log.ts'
import { openCipher } from '#platform/security/cipher.ts'
import { openSeals } from '#platform/security/seals.ts'
import type { PaymentContext } from '#server/billing/charges/payment-context.ts'
import { insertEndpoint, insertHome, type Sql } from '../integrations/webhooks.ts'
import { freshDatabase } from '../postgres.ts'
import { plantAccount } from './charges.ts'
import type { GatewayDouble } from './gateway/double.ts'

/** A payment context on a new database without an API or a worker, so that nothing polls. */
export type TestGateway = {
  readonly context: PaymentContext
  /** The same with a long gateway timeout, to set up tests on a busy machine. */
  readonly patientContext: PaymentContext
  readonly sql: Sql
  readonly organizationId: string
  readonly app: { id: string; organizationId: string }
  readonly accountId: string
  logged(): string
  /** The events of an invoice, in order. */
  events(invoiceId: string): Promise<{ name: string; data: Record<string, unknown> }[]>
  close(): Promise<void>
}

/** Its gateway is the double, otherwise the sandbox. */
export async function openTestGateway(double?: GatewayDouble): Promise<TestGateway> {
  const { url, drop } = await freshDatabase()
  const direct = new pg.Pool({ connectionString: url, max: 3 })
  direct.on('error', () => {})
  const sql: Sql = async (text, values) => (await direct.query(text, values)).rows
  const database = await openDatabase({
    url,
    poolSize: 10,
    connectTimeoutMs: 20_000,
    statementTimeoutMs: 25_000,
    lockTimeoutMs: 20_000,
    idleInTransactionTimeoutMs: 25_000,
    applicationName: 'payment tests',
  })
  const lines: string[] = []
  const gatewaysWithin = (timeoutMs: number) =>
    openGateways(database, 'http://patio.test', double && { url: double.url, timeoutMs })
  const gateways = gatewaysWithin(400)
  const patientGateways = gatewaysWithin(60_000)
  const cipher = openCipher(['a secret of this test that is long enough'])
  const home = await insertHome(sql)
  const app = await insertEndpoint(sql, home, { url: 'https://application.example.test' })
  const accountId = await plantAccount(
    { sql },
    home.organizationId,
    double && { stripe: { cipher, ...double } },
  )
  const context: PaymentContext = {
    database,
    gateways,
    publicUrl: 'http://localhost:4000',
    seals: openSeals(['a key of this test that is long enough']),
    cipher,
    log: openLog('debug', 'payments', { write: line => void lines.push(line) }),
  }
  return {
    context,
    patientContext: { ...context, gateways: patientGateways },
    sql,
    organizationId: home.organizationId,
    app,
    accountId,
    logged: () => lines.join(''),
    events: invoiceId =>
      sql(
        `select e ->> 'name' as name, e -> 'data' as data from outbox, jsonb_array_elements(events) e
         where e -> 'data' ->> 'invoiceId' = $1 order by (e -> 'data' ->> 'sequence')::int`,
        [invoiceId],
      ),
    async close() {
      gateways.close()
      patientGateways.close()
      await database.close()
      await direct.end()
      await drop()
    },
  }
}
