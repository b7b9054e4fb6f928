import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Operation } from '#contract/operation.ts'
import type { Feature, Permission, Plan } from '#contract/permissions.ts'
import { failOnContractBreach } from '#platform/http/contract-check.ts'
import { newId } from '#platform/ids.ts'
import { openLog } from '#platform/log.ts'
import { type CallInput, type Client, connect } from '#sdk/client.ts'
import { type Api, openApiProcess } from '#server/api.ts'
import type { Config } from '#server/config.ts'
import { openWorker, type Worker } from '#server/worker.ts'
// loaded here, because the timeout of a hook is not meant for it
import '#server/identity/sign-in/build.ts'
import {
  insertMembers,
  insertMemberships,
  insertOperator,
  insertOrganization,
  insertRole,
} from './identity/people.ts'
import { type FreshDatabase, freshDatabase } from './postgres.ts'

/** A test server for a test file: new database, API and worker in this process, strict contract checks. */
export type TestServer = {
  readonly url: string
  readonly api: Api
  readonly config: Config & { databaseUrl: string }
  /** The settings of a separate process for this test server. */
  readonly env: Record<string, string>
  /** The whole log, as text. */
  logged(): string
  organization(given?: { name?: string; plan?: Plan; features?: Feature[] }): Promise<Organization>
  /** An operator of the server, in a separate organization. */
  operator(): Promise<Person>
  /** Runs plain SQL, to read or to arrange what no operation can. With a name it is planned once. */
  sql<Row extends object = Record<string, unknown>>(
    text: string,
    values?: unknown[],
    name?: string,
  ): Promise<Row[]>
  /** Another API of the product on the same database. */
  anotherApi(): Promise<Api>
  /** Resolves when the relay is idle. */
  relayed(): Promise<void>
  client(token?: string, url?: string): Client
  close(): Promise<void>
}

export type Organization = {
  readonly id: string
  person(given?: NewPersonOptions): Promise<Person>
  /** A person of another organization who is also a member of this one, as they call from here. */
  joined(person: Person, role?: 'OWNER' | 'ADMIN' | 'MEMBER'): Promise<Person>
}
type NewPersonOptions = {
  role?: 'OWNER' | 'ADMIN' | 'MEMBER'
  permissions?: Permission[]
  name?: string
  email?: string
}

export type Person = Client & {
  readonly id: string
  readonly organizationId: string
  readonly name: string
  readonly email: string
  readonly sessionId: string
  readonly token: string
  /** The same person at another API process. */
  at(url: string): Client
}

/**
 * Opens a test server. Its builders invent what is left out. A test without a worker starts one as a separate
 * process. With a `database` it uses and drops that one.
 */
export async function startTestServer(
  overrides: Partial<Config> = {},
  { hasWorker = true, database = undefined as FreshDatabase | undefined } = {},
): Promise<TestServer> {
  const { url: databaseUrl, drop } = database ?? (await freshDatabase())
  const dataDir = mkdtempSync(join(tmpdir(), 'patio-world-'))
  const lines: string[] = []
  const log = openLog('debug', 'test', { write: line => void lines.push(line) })
  const config: Config & { databaseUrl: string } = {
    host: '127.0.0.1',
    port: 0,
    publicUrl: 'http://localhost:4000',
    dataDir,
    databaseUrl,
    filesUrl: `file:${join(dataDir, 'files')}`,
    s3: undefined,
    maxFileBytes: 104_857_600,
    smtpUrl: undefined,
    mailFrom: 'Patio <patio@localhost>',
    demo: false,
    logLevel: 'debug',
    trustProxy: false,
    poolSize: 10,
    areNodesConnected: true,
    // an overloaded server refuses with 503; a machine that is busy with tests is no reason to
    connectTimeoutMs: 20_000,
    statementTimeoutMs: 25_000,
    lockTimeoutMs: 20_000,
    drainDelaySeconds: 0,
    drainSeconds: 5,
    ceilingFactor: 0,
    signInSecret: 'a secret of this test that is long enough',
    sessionKeys: [{ kid: 't1', secret: 'a key of this test that is long enough' }],
    oidc: undefined,
    stripe: {},
    taxRecords: { producerName: 'Patio SL', producerNif: 'B76543214' },
    ...overrides,
  }
  const api = await openApiProcess(config, log, failOnContractBreach())
  const worker: Worker | undefined = hasWorker ? await openWorker(config, log) : undefined
  const others = new Set<Api>()
  const direct = new pg.Pool({ connectionString: databaseUrl, max: 3 })
  direct.on('error', () => {})

  const server: TestServer = {
    url: api.url,
    api,
    config,
    env: {
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      SIGN_IN_SECRET: config.signInSecret,
      SESSION_KEYS: config.sessionKeys.map(({ kid, secret }) => `${kid}:${secret}`).join(),
    },
    logged: () => lines.join(''),
    sql: async (text, values, name) => (await direct.query({ text, values, name })).rows,
    client: (token, url = api.url) => connect(url, token ? { token } : {}, { retries: 0 }),
    async anotherApi() {
      const other = await openApiProcess(config, log, failOnContractBreach())
      others.add(other)
      return { ...other, close: () => (others.delete(other) ? other.close() : Promise.resolve()) }
    },
    organization: given => buildOrganization(server, given),
    async operator() {
      const organization = await server.organization({ plan: 'ENTERPRISE' })
      const person = await organization.person({ role: 'OWNER' })
      await insertOperator(server, person)
      return person
    },
    async relayed() {
      for (;;) {
        const { rows } = await direct.query('select 1 from outbox limit 1')
        if (rows.length === 0) return
        await new Promise(resolve => setTimeout(resolve, 5))
      }
    },
    async close() {
      await Promise.all([api.close(), worker?.close(), ...[...others].map(other => other.close())])
      await direct.end()
      await drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
  return server
}

// the same number of digits for each, so that lists by name have the order of creation
let count = 100_000

async function buildOrganization(
  server: TestServer,
  given: { name?: string; plan?: Plan; features?: Feature[] } = {},
): Promise<Organization> {
  const id = await insertOrganization(server, { name: `Organization ${++count}`, ...given })
  return {
    id,
    person: given => buildPerson(server, id, given),
    async joined(person, role = 'MEMBER') {
      await insertMemberships(server, id, [{ ...person, role }])
      return signedIn(server, { ...person, organizationId: id })
    },
  }
}

async function buildPerson(
  server: TestServer,
  organizationId: string,
  given: NewPersonOptions = {},
): Promise<Person> {
  const id = newId()
  const sessionId = newId()
  const {
    name = `Person ${++count}`,
    email = `person-${++count}@example.test`,
    permissions,
    role = 'MEMBER',
  } = given
  const roleId = permissions && (await insertRole(server, organizationId, `Role ${++count}`, permissions))
  await insertMembers(server, organizationId, [
    { id, name, email, sessionId, role: roleId ? 'CUSTOM' : role, roleId },
  ])
  return signedIn(server, { id, organizationId, name, email, sessionId })
}

/** A person with their session token. */
async function signedIn(
  server: TestServer,
  {
    id,
    organizationId,
    name,
    email,
    sessionId,
  }: Pick<Person, 'id' | 'organizationId' | 'name' | 'email' | 'sessionId'>,
): Promise<Person> {
  const { token } = await server.api.identity.tokens.sign('session', {
    personId: id,
    organizationId,
    sessionId,
  })
  const client = server.client(token)
  return {
    id,
    organizationId,
    name,
    email,
    sessionId,
    token,
    origin: client.origin,
    at: url => server.client(token, url),
    call: <In, Out>(endpoint: Operation<In, Out>, input?: CallInput<In>) => client.call(endpoint, input),
    send: <In, Out>(endpoint: Operation<In, Out>, input?: CallInput<In>) => client.send(endpoint, input),
  }
}
