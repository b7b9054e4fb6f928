import pg from 'pg'
import { openGateways } from '#platform/adapters/gateway.ts'
import { openDatabase } from '#platform/data/database.ts'
import { openLog } from '#platform/log.ts'
import { openCipher } from '#platform/security/cipher.ts'
import { openSeals } from '#platform/security/seals.ts'
import type { Till } from '#server/billing/index.ts'
import { insertEndpoint, insertOrganization, type Sql } from '../integrations/webhooks.ts'
import { freshDatabase } from '../postgres.ts'
import { plantAccount } from './charges.ts'
import type { GatewayDouble } from './gateway/double.ts'

/** A till on a fresh database where nobody else is at work: no API, no worker, and so nobody who recovers charges. */
export type TestGateway = {
  readonly till: Till
  /** The same with a gateway that may take long to answer, for what is planted: there a busy machine is no fault. */
  readonly patient: Till
  readonly sql: Sql
  readonly organizationId: string
  /** An application of the organization. */
  readonly app: { id: string; organizationId: string }
  readonly accountId: string
  logged(): string
  /** What was announced of an invoice, in its order. */
  told(invoiceId: string): Promise<{ name: string; data: Record<string, unknown> }[]>
  close(): Promise<void>
}

/** With a double its gateway is Stripe, there; else it is the sandbox. */
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
    applicationName: 'a till',
  })
  const lines: string[] = []
  const gatewaysWithin = (timeoutMs: number) =>
    openGateways(database, 'http://patio.test', double && { url: double.url, timeoutMs })
  const gateways = gatewaysWithin(400)
  const patientGateways = gatewaysWithin(60_000)
  const cipher = openCipher(['a secret of this test that is long enough'])
  const home = await insertOrganization(sql)
  const app = await insertEndpoint(sql, home, { url: 'https://application.example.test' })
  const accountId = await plantAccount(
    { sql },
    home.organizationId,
    double && { stripe: { cipher, ...double } },
  )
  const till: Till = {
    database,
    gateways,
    publicUrl: 'http://localhost:4000',
    seals: openSeals(['a key of this test that is long enough']),
    cipher,
    log: openLog('debug', 'till', { write: line => void lines.push(line) }),
  }
  return {
    till,
    patient: { ...till, gateways: patientGateways },
    sql,
    organizationId: home.organizationId,
    app,
    accountId,
    logged: () => lines.join(''),
    told: invoiceId =>
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
