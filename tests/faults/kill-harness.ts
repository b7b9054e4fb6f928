import type { Scope } from '#contract/permissions.ts'
import type { Client } from '#sdk/client.ts'
import { plantAccount } from '#tests/support/billing/charges.ts'
import {
  type DoubleOperation,
  type GatewayDouble,
  openDouble,
} from '#tests/support/billing/gateway/double.ts'
import { openFaultProxy, type Watch } from '#tests/support/fault-proxy.ts'
import { makeApplication, type TestApplication } from '#tests/support/integrations/applications.ts'
import { dataFolder, endAll, removeFolders, start, until } from '#tests/support/processes.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

/**
 * A moment of a task: before its n-th commit reaches the database; after the commit, before the reply; or
 * after the gateway has acted, before its reply.
 */
export type KillMoment = { before: number } | { after: number } | { gateway: DoubleOperation }

/**
 * A process of the product between a database proxy and a gateway proxy that stop it at chosen moments, where
 * it is killed.
 */
export type KillHarness = {
  readonly server: TestServer
  readonly double: GatewayDouble
  readonly app: TestApplication
  readonly accountId: string
  /** Starts a task in the process while no other one runs, and waits until it is stopped at this moment. */
  stopsAt(moment: KillMoment, ask: (client: Client) => Promise<unknown>): Promise<void>
  /** `kill -9` at the stopped moment. Returns how many requests had a reply. */
  kill(): Promise<number>
  close(): Promise<void>
}

export async function openKillHarness(scopes: readonly Scope[]): Promise<KillHarness> {
  const double = await openDouble()
  // longer than any of this takes
  double.delayMs = 60_000
  const server = await startTestServer({ stripe: { url: double.url } })
  const organization = await server.organization()
  const app = await makeApplication(server, organization, { scopes })
  const { cipher } = server.api.services
  const accountId = await plantAccount(server, organization.id, { stripe: { cipher, ...double } })
  const commits = openCommits()
  const proxy = await openFaultProxy(server.config.databaseUrl, commits.watch)
  const api = await start('api', {
    ...server.env,
    DATABASE_URL: proxy.url,
    STRIPE_URL: double.url,
    DATA_DIR: dataFolder(),
    // a stopped task holds a connection and must not time out
    POOL_SIZE: '40',
    STATEMENT_TIMEOUT_MS: '60000',
  })
  const answers: Promise<number>[] = []

  return {
    server,
    double,
    app,
    accountId,
    async stopsAt(moment, ask) {
      let isThere: () => boolean
      if ('gateway' in moment) {
        const before = double.requests.length
        double.fails(moment.gateway, 'delay', 1)
        isThere = () => double.requests.slice(before).some(({ operation }) => operation === moment.gateway)
      } else isThere = commits.stopsAt(moment)
      answers.push(
        ask(app.at(api.url)).then(
          () => 1,
          () => 0,
        ),
      )
      await until(`the process stands at ${JSON.stringify(moment)}`, isThere)
    },
    async kill() {
      await api.stop('SIGKILL')
      proxy.cut()
      double.heals()
      return (await Promise.all(answers)).reduce((sum, answered) => sum + answered, 0)
    },
    async close() {
      endAll()
      await proxy.close()
      await server.close()
      await double.close()
      removeFolders()
    },
  }
}

// COMMIT as a simple query, and as a command tag
const signs = { client: Buffer.from('Q\0\0\0\vcommit\0'), server: Buffer.from('C\0\0\0\vCOMMIT\0') }

/** Counts commits, and stops the connection of the chosen one. */
export function openCommits(): {
  watch: Watch
  stopsAt(at: { before: number } | { after: number }): () => boolean
} {
  let waiting: { from: 'client' | 'server'; left: number } | undefined
  return {
    watch(bytes, from) {
      const at = from === waiting?.from ? bytes.indexOf(signs[from]) : -1
      if (!waiting || at === -1 || --waiting.left > 0) return bytes.length
      waiting = undefined
      return at
    },
    stopsAt(at) {
      const mine = 'before' in at ? { from: 'client', left: at.before } : { from: 'server', left: at.after }
      waiting = mine as NonNullable<typeof waiting>
      return () => mine.left === 0
    },
  }
}
