import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { setDefaultCACertificates } from 'node:tls'
import { connect } from '@nats-io/transport-node'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setWebhook } from '#contract/integrations/webhook.ts'
import { createAsset } from '#contract/studio/assets.ts'
import { readInstallationId } from '#platform/data/installation-id.ts'
import { type Heads, openSignal } from '#platform/events/signal.ts'
import { openLog } from '#platform/log.ts'
import { openLedger } from '#tests/faults/ledger.ts'
import { openStream } from '#tests/faults/stream.ts'
import { makeLead } from '#tests/support/crm/leads-and-clients.ts'
import { crowd } from '#tests/support/crowd.ts'
import { exactly } from '#tests/support/elements.ts'
import { openFaultProxy } from '#tests/support/fault-proxy.ts'
import { makeApplication } from '#tests/support/integrations/applications.ts'
import { openReceiver } from '#tests/support/integrations/receiver.ts'
import { samplesOf, textOf } from '#tests/support/metrics.ts'
import { type NatsServer, startNatsServer } from '#tests/support/nats-server.ts'
import { freshDatabase } from '#tests/support/postgres.ts'
import {
  dataFolder,
  endAll,
  isAlive,
  type Patio,
  removeFolders,
  start,
  until,
} from '#tests/support/processes.ts'
import { startTestServer } from '#tests/support/test-server.ts'
import { assertStreamIsComplete } from '#tests/support/worst-day.ts'
import { requirePrograms } from './cluster/programs.ts'

// Needs Debian's package nats-server: apt-get install --no-install-recommends nats-server. It keeps nothing on disk.
const password = 'p@ss of NATS'
const credentials = `patio:${encodeURIComponent(password)}`
/** The relay and the streams look without a signal this often. */
const pollMs = 2_000
const closers: (() => Promise<unknown>)[] = []
beforeAll(() => requirePrograms({ 'nats-server': 'nats-server' }))
afterAll(async () => {
  for (const close of closers.splice(0).reverse()) await close()
  endAll()
  removeFolders()
})

async function nats(args: string[] = []): Promise<NatsServer> {
  const server = await startNatsServer(args)
  closers.push(server.kill)
  return server
}

/** An API process and workers with a stream, a webhook and a writer. */
async function openInstallation(signalsUrl: string, workerCount: number) {
  const server = await startTestServer({}, { hasWorker: false })
  const receiver = await openReceiver()
  closers.push(server.close, receiver.close)
  const organization = await server.organization()
  const person = await organization.person({ role: 'OWNER' })
  const { id: applicationId } = await makeApplication(server, organization, { scopes: ['crm:leads:read'] })
  const env = { ...server.env, SIGNALS_URL: signalsUrl, WEBHOOK_NETWORKS: '127.0.0.0/8' }
  const started = (command: 'api' | 'worker') => start(command, { ...env, DATA_DIR: dataFolder() })
  const api = await started('api')
  const workers: Patio[] = []
  while (workers.length < workerCount) workers.push(await started('worker'))
  const processes = [api, ...workers]
  await until('NATS carries the signals of all', () =>
    processes.every(({ output }) => output().includes('NATS carries signals')),
  )
  const client = person.at(api.url)
  const body = { url: receiver.url, events: ['LEAD_CREATED'] }
  await client.call(setWebhook, { params: { id: applicationId }, body })
  const stream = await openStream(api.url, client)
  const id = await readInstallationId(server.config.databaseUrl)
  return { server, organization, person, receiver, api, processes, client, stream, id }
}
type Installation = Awaited<ReturnType<typeof openInstallation>>

/** How long a change takes to its stream and to its webhook, in milliseconds. */
type Arrivals = { stream: number; webhook: number }

async function arrivals({ client, stream, receiver }: Installation, rounds: number): Promise<Arrivals> {
  const times: Arrivals[] = []
  while (times.length < rounds) {
    const asset = await client.call(createAsset, {
      body: { type: 'PROMPT', name: `Round ${times.length}`, bodyMarkdown: 'Text' },
    })
    const onStream = stream.shows(asset.id, 2 * pollMs * crowd())
    const lead = await makeLead(client)
    const arrived = () => receiver.received.some(({ body }) => body.includes(lead.id))
    const [streamMs, webhookMs] = await Promise.all([
      onStream,
      until('the webhook arrives', arrived, 2 * pollMs * crowd()),
    ])
    times.push({ stream: streamMs, webhook: webhookMs })
    await sleep(Math.random() * 200)
  }
  const middle = (of: (one: Arrivals) => number) =>
    Math.round(times.map(of).toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0)
  return { stream: middle(one => one.stream), webhook: middle(one => one.webhook) }
}

const shown = (title: string, { stream, webhook }: Arrivals) =>
  process.stdout.write(`${title}: stream after ${stream} ms, webhook after ${webhook} ms (medians)\n`)

/** A signal in this process, with its log. */
async function openLoggedSignal(url: string, natsTo: Parameters<typeof openSignal>[0]['nats']) {
  const lines: string[] = []
  const log = openLog('info', 'test', { write: line => void lines.push(line) })
  const signal = await openSignal({ url, log, nats: natsTo, pingMs: 500 })
  closers.push(signal.close)
  return { signal, logged: () => lines.join('') }
}

test('NATS is killed, frozen and restarted under writes: nothing is lost, no request fails, and others are not heard', async () => {
  const server = await nats(['--user', 'patio', '--pass', password])
  const url = `nats://${credentials}@127.0.0.1:${server.port}`
  const ours = await openInstallation(url, 2)
  const other = await openInstallation(url, 1)
  const { api, client } = ours
  const isUp = async () => samplesOf(await textOf(`${api.url}/metrics`)).get('patio_signals_up')
  const isReady = async () => (await fetch(`${api.url}/readyz`)).status

  await arrivals(ours, 3)
  const before = await arrivals(ours, 9)
  shown('with NATS', before)
  expect(await isUp()).toBe(1)

  const ledger = openLedger([{ personId: ours.person.id, client }], [])
  await ledger.grows(20)
  server.signal('SIGSTOP')
  await ledger.grows(40)
  await until('the frozen server is noticed', async () => (await isUp()) === 0)
  server.signal('SIGCONT')
  await until('NATS carries signals again', async () => (await isUp()) === 1)
  await ledger.grows(20)
  await server.kill()
  await until('the loss is noticed', async () => (await isUp()) === 0)
  await ledger.grows(40)
  expect(await isReady()).toBe(200)
  await ledger.stop()
  expect(ledger.unknown(), 'requests that failed').toBe(0)

  const during = await arrivals(ours, 5)
  shown('without', during)
  await server.start()
  await until('NATS carries signals again', async () => (await isUp()) === 1)
  await arrivals(ours, 3)
  const after = await arrivals(ours, 9)
  shown('with NATS again', after)
  for (const prompt of [before, after]) {
    expect(prompt.stream * 3).toBeLessThan(during.stream)
    expect(prompt.webhook * 3).toBeLessThan(during.webhook)
  }

  const database = new pg.Client({ connectionString: ours.server.config.databaseUrl })
  await database.connect()
  await ledger.check(database)
  await assertStreamIsComplete(ours.stream, database)
  await database.end()

  await assertApart(server, ours, other)
  await disturb(server, ours)
  const disturbed = await arrivals(ours, 5)
  shown('after hints of a stranger', disturbed)
  expect(disturbed.stream * 3).toBeLessThan(during.stream)
  for (const { pid, lines, output } of [...ours.processes, ...other.processes]) {
    expect(isAlive(pid)).toBe(true)
    expect(output()).not.toContain(password)
    expect(lines().filter(({ level }) => level >= 50)).toEqual([])
  }
  const exits = await Promise.all([...ours.processes, ...other.processes].map(({ stop }) => stop()))
  expect(exits.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0])
})

type Connections = { connections: { name?: string; subscriptions_list?: string[] }[] }

/** Each process listens to its own installation alone, and what is carried are ids and numbers. */
async function assertApart(server: NatsServer, ours: Installation, other: Installation): Promise<void> {
  const { connections } = (await server.monitored('/connz?subs=1')) as Connections
  const prefixes = exactly(5, connections).map(({ name, subscriptions_list: subjects = [] }) => {
    expect(name).toMatch(/^patio signal /)
    const found = new Set(subjects.map(subject => subject.slice(0, subject.lastIndexOf('.'))))
    return exactly(1, [...found])[0]
  })
  const expected = [ours, ours, ours, other, other].map(({ id }) => `patio.${id}`)
  expect(prefixes.toSorted()).toEqual(expected.toSorted())

  const spy = await connect({ servers: `127.0.0.1:${server.port}`, user: 'patio', pass: password })
  const carried: { subject: string; payload: string }[] = []
  spy.subscribe('>', {
    callback: (_error, message) => void carried.push({ subject: message.subject, payload: message.string() }),
  })
  await spy.flush()
  for (const installation of [ours, other]) await arrivals(installation, 3)
  await spy.close()
  for (const installation of [ours, other]) {
    const payloads = carried
      .filter(({ subject }) => subject.startsWith(`patio.${installation.id}.`))
      .map(({ payload }) => payload)
    expect(payloads.length).toBeGreaterThan(0)
    const named = payloads.flatMap(payload => payload.split(',')).filter(part => part.includes(':'))
    expect(new Set(named.map(part => part.split(':')[0]))).toEqual(new Set([installation.organization.id]))
    for (const part of payloads.join().split(',')) expect(part).toMatch(/^[\w-]*(:\d+)?$/)
  }
}

/** Publishes what no process of ours would. */
async function disturb(server: NatsServer, { id, organization }: Installation): Promise<void> {
  const stranger = await connect({ servers: `127.0.0.1:${server.port}`, user: 'patio', pass: password })
  const payloads = [
    '',
    ',,,:::',
    'x'.repeat(500_000),
    `${organization.id}:NaN`,
    `${organization.id}:1e308`,
    `${organization.id}:-1`,
    "'; drop table outbox; --",
    '\u0000\ufffd',
    Array.from({ length: 300 }, (_, n) => `nobody-${n}`).join(),
  ]
  for (let round = 0; round < 50; round++)
    for (const channel of ['patio_change', 'patio_event', 'patio_due', 'patio_other'])
      for (const payload of payloads.filter(({ length }) => round === 0 || length < 10_000))
        stranger.publish(`patio.${id}.${channel}`, payload)
  await stranger.flush()
  await stranger.close()
}

test('a connection that is cut or half open is replaced, and readers look again', async () => {
  const database = await freshDatabase()
  closers.push(database.drop)
  const server = await nats()
  const proxy = await openFaultProxy(`nats://127.0.0.1:${server.port}`)
  closers.push(proxy.close)
  const at = (port: number | string) => ({
    servers: [`127.0.0.1:${port}`],
    isTls: false,
    user: undefined,
    password: undefined,
  })
  const { signal: near } = await openLoggedSignal(database.url, at(server.port))
  const { signal: far } = await openLoggedSignal(database.url, at(new URL(proxy.url).port))
  const received: Heads[] = []
  let looks = 0
  far.onReconnect(() => looks++)
  await far.onAnnounced(heads => void received.push(heads))
  await until('both are connected', () => near.isConnected() && far.isConnected())
  await until('the first connection makes readers look', () => looks === 1)
  const arrives = async (organizationId: string) => {
    near.announce(new Map([[organizationId, 7]]))
    await until(`${organizationId} arrives`, () => received.some(heads => heads?.get(organizationId) === 7))
  }
  await arrives('first')
  near.announce(new Map(Array.from({ length: 500 }, (_, index) => [`organization-${index}`, index])))
  await until('too many to list', () => received.includes(undefined))

  proxy.cut()
  await until('readers look after the cut', () => looks === 2)
  await arrives('after-the-cut')

  proxy.swallow()
  for (let count = 0; count < 10_000; count++) far.announce(new Map([[`o${count}`, count]]))
  const noticedMs = await until('the half-open connection is noticed', () => !far.isConnected())
  process.stdout.write(`a half-open connection is noticed after ${Math.round(noticedMs)} ms (ping 500 ms)\n`)
  await proxy.heal()
  await until('readers look after the hole', () => looks === 3)
  await arrives('after-the-hole')

  await proxy.refuse()
  await until('the refusal is noticed', () => !far.isConnected())
  const startedAt = performance.now()
  await far.close()
  expect(performance.now() - startedAt).toBeLessThan(2_000 * crowd())
})

/** The files of a certificate for this machine, and of its key. */
function selfSigned(folder: string): [string, string] {
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const files = ['-keyout', key, '-out', certificate]
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files],
    {
      stdio: 'ignore',
    },
  )
  return [certificate, key]
}

test('NATS over TLS, with a certificate that is trusted or not', async () => {
  const folder = dataFolder()
  const database = await freshDatabase()
  closers.push(database.drop)
  const [certificate, key] = selfSigned(folder)
  const server = await nats(['--tls', '--tlscert', certificate, '--tlskey', key])
  const to = { servers: [`localhost:${server.port}`], isTls: true, user: undefined, password: undefined }
  const distrusting = await openLoggedSignal(database.url, to)
  await until('the certificate is refused', () => distrusting.logged().includes('NATS cannot carry signals'))
  expect(distrusting.logged()).toMatch(/self-signed certificate/)
  setDefaultCACertificates([readFileSync(certificate, 'utf8')])
  await until('it is trusted', distrusting.signal.isConnected)
  const plain = await nats()
  const insisting = await openLoggedSignal(database.url, { ...to, servers: [`localhost:${plain.port}`] })
  await until('a server without TLS is refused', () => insisting.logged().includes("does not support 'tls'"))
})

test('a user who may not use the subjects: the reason is logged, and the process polls', async () => {
  const database = await freshDatabase()
  closers.push(database.drop)
  const file = join(dataFolder(), 'nats.conf')
  const permissions = '{ publish: "other.>", subscribe: "other.>" }'
  writeFileSync(
    file,
    `authorization { users: [{ user: "patio", password: "other", permissions: ${permissions} }] }`,
  )
  const server = await nats(['-c', file])
  const { signal, logged } = await openLoggedSignal(database.url, {
    servers: [`127.0.0.1:${server.port}`],
    isTls: false,
    user: 'patio',
    password: 'other',
  })
  await signal.onChanged(() => {})
  await until('the reason is logged', () => /Permissions Violation for Subscription/.test(logged()))
  expect(signal.isConnected()).toBe(false)
})
