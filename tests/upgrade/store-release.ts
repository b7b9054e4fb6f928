import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { test } from 'vitest'
import { createLead } from '#contract/crm/leads.ts'
import { openLog } from '#platform/log.ts'
import { programVersion } from '#platform/version.ts'
import { firstRun } from '#server/first-run.ts'
import { openWorker } from '#server/worker.ts'
import { defined, firstOf, lastOf } from '#tests/support/elements.ts'
import { type Call, type Credential, rawRequest, sendRaw } from '../invariants/ask.ts'
import { callsOf } from '../invariants/fixtures.ts'
import { bearer, byKey, type Home, openHome, ownApplication, personalToken } from '../invariants/home.ts'
import { type OperationCase, operationCases, root } from '../invariants/operations.ts'
import { codeOf } from '../support/identity/totp.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { type RecordedReply, type Release, storeRelease } from './release-data.ts'

/** A read that the release answered. */
type Read = { operation: OperationCase; call: Call }

// run by `npm run release:data` alone: replaces the stored data of the release
test('the data of the release are stored', async () => {
  const server = await startTestServer({}, { hasWorker: false })
  const worker = await openWorker(server.config, openLog('silent', 'worker'))
  await firstRun({ ...server.config, demo: true }, () => {})
  const home = await openHome(server)
  const reads = await callEverything(server, home)
  const twoFactor = await withOneTimeCodes(server)
  await server.relayed()
  // what a stop of all processes leaves behind: events without a number, and mails that are not sent
  await worker.close()
  await plantRareRows(server, home)
  await callOnce(server, home, 'markHelpful')
  await callOnce(server, home, 'createInvitation')
  await callOnce(server, home, 'requestSignatures')
  await callOnce(server, home, 'uploadSealCertificate')

  const credentials = {
    session: bearer(home.owner.token),
    operator: bearer(home.owner.token),
    apiKey: byKey((await ownApplication(server, home.owner)).key),
    personalToken: bearer(await personalToken(home.owner)),
  }
  const replies: RecordedReply[] = []
  for (const { operation, call } of reads) {
    const caller = operation.auth
    if (!(caller in credentials)) continue
    await server.sql('delete from rate_window')
    const request = rawRequest(operation, call, credentials[caller as keyof typeof credentials])
    const { status, text } = await sendRaw(server.url, request)
    if (status === 200)
      replies.push({ operation: operation.name, caller, path: request.path, reply: JSON.parse(text) })
  }
  const release: Release = {
    version: programVersion,
    migration: lastOf(
      readdirSync(join(root, 'migrations'))
        .filter(name => name.endsWith('.sql'))
        .sort(),
    ),
    signInSecret: server.config.signInSecret,
    owner: {
      personId: home.owner.id,
      organizationId: home.organization.id,
      sessionId: home.owner.sessionId,
    },
    headers: {
      apiKey: defined(credentials.apiKey.headers),
      personalToken: defined(credentials.personalToken.headers),
    },
    twoFactor,
  }
  const client = new pg.Client({ connectionString: server.config.databaseUrl })
  await client.connect()
  await storeRelease({ client, filesFolder: join(server.config.dataDir, 'files') }, release, replies)
  await client.end()
  await server.close()
  process.stdout.write(
    `${replies.length} replies of ${new Set(replies.map(one => one.operation)).size} reads\n`,
  )
})

/** Makes each valid call of each operation; returns the reads among them. */
async function callEverything(server: TestServer, home: Home): Promise<Read[]> {
  const reads: Read[] = []
  for (const operation of await operationCases()) {
    const credential = await home.credential(operation)
    for (const call of await callsOf(operation.name, home)) {
      await send(server, operation, call, credential)
      if (operation.contract.method === 'GET' && !operation.contract.responseType)
        reads.push({ operation, call })
    }
  }
  return reads
}

async function callOnce(server: TestServer, home: Home, name: string): Promise<void> {
  const operation = (await operationCases()).find(one => one.name === name)
  if (!operation) throw new Error(`There is no operation ${name}`)
  const call = firstOf(await callsOf(name, home))
  await send(server, operation, call, await home.credential(operation))
}

async function send(
  server: TestServer,
  operation: OperationCase,
  call: Call,
  credential: Credential,
): Promise<void> {
  await server.sql('delete from rate_window')
  const { status, text } = await sendRaw(server.url, rawRequest(operation, call, credential))
  if (status >= 400) throw new Error(`${operation.route}: ${status} ${text}`)
}

/** A demo person turns on one-time codes. */
async function withOneTimeCodes(server: TestServer): Promise<Release['twoFactor']> {
  const demo = JSON.parse(readFileSync(join(server.config.dataDir, 'demo.json'), 'utf8'))
  const { email, password } = demo.organizations[0].people[1]
  async function post(path: string, body: object, token = ''): Promise<Record<string, string>> {
    const reply = await fetch(`${server.url}/api/auth${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    })
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
    return (await reply.json()) as Record<string, string>
  }
  const { token } = await post('/sign-in/email', { email, password })
  const { totpURI = '' } = await post('/two-factor/enable', { password }, token)
  await post('/two-factor/verify-totp', { code: codeOf(totpURI) }, token)
  return { email, password, totpURI }
}

/** Rows that only other programs or the passing of time bring about. */
async function plantRareRows(server: TestServer, { owner, organization }: Home): Promise<void> {
  const { key } = await ownApplication(server, owner)
  const lead = { email: 'repeated@example.test', firstName: 'Repeated' }
  const reply = await fetch(`${server.url}/api/external/v1${createLead.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key, 'idempotency-key': 'release' },
    body: JSON.stringify(lead),
  })
  if (!reply.ok) throw new Error(`a lead: ${reply.status} ${await reply.text()}`)
  await server.sql(
    `insert into passkey (id, person_id, credential_id, public_key, counter, device_type, backed_up)
     values ('passkey', $1, 'credential', 'pQECAyYgASFYIA', 1, 'singleDevice', false)`,
    [owner.id],
  )
  await server.sql(
    `insert into refused_mail (organization_id, id, kind, recipient, error, attempts, queued_at)
     values ($1, 'mail', 'invoice', 'nobody@example.test', '550 no such user', 5, now())`,
    [organization.id],
  )
  await server.sql(
    `insert into error_hour (organization_id, error_id, hour, count)
     select organization_id, id, date_trunc('hour', now()), 3 from error_group`,
  )
  await server.sql(
    `insert into invoice_reminder (organization_id, invoice_id, days, has_recipient, sent_at)
     select organization_id, id, 7, true, now() from invoice limit 3`,
  )
}
