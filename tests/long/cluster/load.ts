import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect } from 'vitest'
import { chargeInvoice } from '#contract/billing/charges.ts'
import type { Charge } from '#contract/billing/shapes.ts'
import { type AuditRow, verifyChain } from '#platform/events/chain.ts'
import { type Client, connect } from '#sdk/client.ts'
import { openTokens } from '#server/identity/sessions/tokens.ts'
import { type Ledger, openLedger } from '#tests/faults/ledger.ts'
import { type OpenStream, openStream } from '#tests/faults/stream.ts'
import { cards, plantAccount, plantPayer } from '#tests/support/billing/charges.ts'
import { type GatewayDouble, openDouble } from '#tests/support/billing/gateway/double.ts'
import { plantInvoice } from '#tests/support/billing/invoices.ts'
import { firstOf } from '#tests/support/elements.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import { defaultTimeouts, until } from '#tests/support/processes.ts'
import { startTestServer } from '#tests/support/test-server.ts'
import { assertStreamIsComplete } from '#tests/support/worst-day.ts'

/** An organization with people, and invoices to charge at a double of the gateway. */
export type ClusterWorld = {
  readonly organizationId: string
  /** The settings of processes on this database. */
  readonly env: Record<string, string>
  readonly double: GatewayDouble
  readonly invoiceIds: string[]
  readonly userId: string
  /** The people as they call through this URL. */
  people(url: string): { personId: string; client: Client }[]
  /** The application that charges, without repetitions of its own. */
  application(url: string): Client
}

const invoiceCount = 800
const invoiceCents = 12_100
/** Each of two tasks charges about this often: an application may charge sixty times a minute. */
const chargePauseMs = 2_500
const repeatMs = 500
const longProbeMs = 5

export async function makeClusterWorld(databaseUrl: string): Promise<ClusterWorld> {
  const double = await openDouble()
  const server = await startTestServer(
    { stripe: { url: double.url } },
    { hasWorker: false, database: { url: databaseUrl, drop: async () => {} } },
  )
  const organization = await server.organization()
  const people = await Promise.all([1, 2, 3].map(() => organization.person({ role: 'OWNER' })))
  const app = await makeApplication(server, organization, { scopes: ['billing:charge'] })
  const accountId = await plantAccount(server, organization.id, {
    stripe: { cipher: server.api.services.cipher, ...double },
  })
  const { id: firstId, userId, clientId } = await plantInvoice(server, app)
  await plantPayer(server, app, accountId, userId, {
    customerId: double.addCustomer(),
    gatewayMethodId: double.addMethod(cards.good),
  })
  const invoiceIds = [firstId]
  while (invoiceIds.length < invoiceCount)
    invoiceIds.push((await plantInvoice(server, app, { userId, clientId })).id)
  const tokens = openTokens(server.config.sessionKeys)
  const { DATA_DIR: _ownFolder, ...env } = server.env
  await server.close()

  return {
    organizationId: organization.id,
    env: { ...env, ...defaultTimeouts, STRIPE_URL: double.url },
    double,
    invoiceIds,
    userId,
    people: url =>
      people.map(person => ({
        personId: person.id,
        client: connect(
          url,
          {
            token: async () =>
              (
                await tokens.sign('session', {
                  personId: person.id,
                  organizationId: organization.id,
                  sessionId: person.sessionId,
                })
              ).token,
          },
          { retries: 0 },
        ),
      })),
    application: app.at,
  }
}

/** Writers of assets, uses and reactions, an application that charges invoices, and an open stream. */
export type MixedLoad = {
  readonly ledger: Ledger
  /** The number of charges that were acknowledged. */
  charged(): number
  /**
   * Does something, and returns the longest time without an acknowledged write until fifty more were
   * acknowledged.
   */
  timeWithoutWrites(act: () => unknown): Promise<number>
  /** A new stream through HAProxy shows a new asset. */
  showsEvents(): Promise<void>
  /** Ends the load and compares the database with what was acknowledged, and with the gateway. */
  verify(databaseUrl: string): Promise<void>
}

export async function openMixedLoad(world: ClusterWorld, url: string): Promise<MixedLoad> {
  const writers = world.people(url)
  const { client } = firstOf(writers)
  const stream = await openStream(url, client)
  // HAProxy answers 502, 503 or 504 for a process that ended
  const ledger = openLedger(writers, [502, 503, 504])
  const charges = startCharges(world, url)
  await ledger.grows(100)

  return {
    ledger,
    charged: () => charges.acknowledged.size,
    async timeWithoutWrites(act) {
      const goal = ledger.acknowledged() + 50
      await act()
      let [count, changedAt, longestMs] = [ledger.acknowledged(), performance.now(), 0]
      await until('writes continue', async () => {
        const nowMs = performance.now()
        if (ledger.acknowledged() > count) {
          longestMs = Math.max(longestMs, nowMs - changedAt)
          count = ledger.acknowledged()
          changedAt = nowMs
        }
        await sleep(longProbeMs)
        return count >= goal
      })
      return Math.round(longestMs)
    },
    async showsEvents() {
      const own = await openStream(url, client)
      await ledger.grows(10)
      await own.shows('ai-asset.created')
      own.close()
    },
    async verify(databaseUrl) {
      await Promise.all([ledger.stop(), charges.stop()])
      const database = new pg.Client({ connectionString: databaseUrl })
      await database.connect()
      process.stdout.write(
        `${ledger.acknowledged()} writes were acknowledged, ${ledger.unknown()} were not; ${charges.acknowledged.size} charges were acknowledged\n`,
      )
      await ledger.check(database)
      await assertChainIsWhole(database, world.organizationId)
      await assertChargedOnce(database, world, charges.acknowledged)
      if (stream.ended() === undefined) await assertStreamIsComplete(stream as OpenStream, database)
      stream.close()
      await database.end()
    },
  }
}

/** Charges one invoice after the other, each with the same key until there is a reply. */
function startCharges(world: ClusterWorld, url: string) {
  const waiting = [...world.invoiceIds]
  const acknowledged = new Map<string, Charge['status']>()
  const application = world.application(url)
  let isStopping = false

  async function chargeUntilReply(id: string): Promise<void> {
    const input = { params: { id }, body: { userId: world.userId, idempotencyKey: id } }
    while (!isStopping) {
      const reply = await application.send(chargeInvoice, input).catch(() => undefined)
      if (reply && reply.status < 300) {
        acknowledged.set(id, reply.body.status)
        return
      }
      if (reply && reply.status < 500 && ![409, 429].includes(reply.status))
        throw new Error(`a charge was refused: ${reply.text}`)
      await sleep(repeatMs)
    }
  }
  async function chargeInTurn(): Promise<void> {
    while (!isStopping) {
      const id = waiting.shift()
      if (id === undefined) throw new Error('every invoice is charged: make more of them')
      await chargeUntilReply(id)
      await sleep(chargePauseMs)
    }
  }
  const running = Promise.all([chargeInTurn(), chargeInTurn()])
  // it is awaited at the end
  running.catch(() => {})
  return {
    acknowledged,
    async stop() {
      isStopping = true
      await running
    },
  }
}

/** The chain of the audit log from its first entry to the head that the relay stored. */
async function assertChainIsWhole(database: pg.Client, organizationId: string): Promise<void> {
  const { rows } = await database.query<AuditRow & { at: Date; seq: string }>(
    `select organization_id as "organizationId", seq, id, actor_id as "actorId", auth, ip, client, request_id as "requestId",
       operation, subject, changed, detail, at, hash from audit where organization_id = $1 order by seq`,
    [organizationId],
  )
  const { rows: heads } = await database.query(
    'select audit_seq as seq, audit_hash as hash from relay_head where organization_id = $1',
    [organizationId],
  )
  const head = firstOf(heads) as { seq: number; hash: string }
  expect(verifyChain(rows, undefined, { ...head, seq: Number(head.seq) })).toMatchObject({ isWhole: true })
}

/** Each invoice was collected at most once, and the books agree with the gateway. */
async function assertChargedOnce(
  database: pg.Client,
  { invoiceIds, double }: ClusterWorld,
  acknowledged: ReadonlyMap<string, Charge['status']>,
): Promise<void> {
  await until('every charge has ended', async () => {
    const { rows } = await database.query(
      'update charge_attempt set next_poll_at = now() where ended_at is null returning 1',
    )
    return rows.length === 0
  })
  const { rows } = await database.query(
    `select i.id, i.paid_cents::int as paid, count(l.id)::int as entries
     from invoice i left join ledger_entry l on l.organization_id = i.organization_id and l.invoice_id = i.id
     where i.id = any($1) group by 1, 2`,
    [invoiceIds],
  )
  const intents = Map.groupBy(double.intents(), ({ metadata }) => metadata.invoiceId)
  const wrong = rows.filter(({ id, paid, entries }) => {
    const captures = (intents.get(id) ?? []).filter(({ amount_received }) => amount_received > 0).length
    const isMissing = acknowledged.get(id) === 'SUCCEEDED' && captures === 0
    return captures > 1 || isMissing || entries !== captures || paid !== invoiceCents * captures
  })
  expect(wrong, 'invoices whose books and gateway disagree').toEqual([])
  // a run with one short outage charges fewer than a dozen
  expect(acknowledged.size).toBeGreaterThan(5)
}
