import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { afterAll, expect, test } from 'vitest'
import { createInvitation } from '#contract/identity/invitations.ts'
import { createPersonalToken } from '#contract/identity/personal-tokens.ts'
import { acceptInvitation, createStreamToken, getSessionToken } from '#contract/identity/sessions.ts'
import { createAsset, listAssets } from '#contract/studio/assets.ts'
import { type Client, connect } from '#sdk/client.ts'
import { captured, firstOf, itemAt, lastOf } from '#tests/support/elements.ts'
import {
  childrenOf,
  endAll,
  linesOf,
  type Patio,
  postmasterOf,
  removeFolders,
  start,
  until,
  usedDataFolder,
} from '#tests/support/processes.ts'
import { type DemoPerson, readDemo } from './demo.ts'
import { openStream } from './stream.ts'

const newPassword = 'Neunzehn rote Leuchttürme'
const inviteePassword = 'Siebzehn gelbe Heuballen'
const wrongPassword = 'CanaryWrongPassword'
const smtpPassword = 'CanarySmtpPassword'
const typedKey = 'CanaryKeyOfAnApplication'
const shortKey = 'Canary4711'
const asset = { type: 'PROMPT' as const, name: 'Logged' }

afterAll(() => {
  endAll()
  removeFolders()
})

/** A mail server that requires a password and can refuse everybody. */
async function openInbox() {
  const inbox = { isClosed: false, texts: [] as string[] }
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth({ password }, _session, done) {
      if (inbox.isClosed || password !== smtpPassword) done(new Error('wrong password'))
      else done(null, { user: 'patio' })
    },
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', chunk => chunks.push(chunk))
      stream.on('end', () => {
        inbox.texts.push(Buffer.concat(chunks).toString().replaceAll('=\r\n', '').replaceAll('=3D', '='))
        done()
      })
    },
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as { port: number }
  return Object.assign(inbox, {
    url: `smtp://patio:${smtpPassword}@127.0.0.1:${port}`,
    close: () => new Promise<void>(resolve => server.close(() => resolve())),
  })
}
type Inbox = Awaited<ReturnType<typeof openInbox>>

/** The secrets that must never be in a log, by name. */
type Secrets = Map<string, string>

/** Sign-in and tokens, valid and invalid; every secret is recorded. */
async function useSignIn(patio: Patio, secrets: Secrets, person: DemoPerson, inbox: Inbox): Promise<string> {
  const auth = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${patio.url}/api/auth${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const { email, password } = person
  await auth('/sign-in/email', { email, password: wrongPassword })
  await auth('/sign-in/email', { email, password: { [wrongPassword]: wrongPassword } })
  await auth('/sign-in/email', { email: `${wrongPassword}@`, password: wrongPassword, token: wrongPassword })
  const signedIn = await auth('/sign-in/email', { email, password })
  const { token } = (await signedIn.json()) as { token: string }
  secrets.set('signed session token', token)
  secrets.set('session token', firstOf(token.split('.')))
  for (const cookie of signedIn.headers.getSetCookie()) secrets.set('cookie', itemAt(cookie.split(/[=;]/), 1))
  const cookie = signedIn.headers
    .getSetCookie()
    .map(text => text.split(';')[0])
    .join('; ')
  await fetch(`${patio.url}/api/auth/get-session`, { headers: { Cookie: cookie } })
  await fetch(`${patio.url}/api/auth/list-sessions`, { headers: { Authorization: `Bearer ${token}` } })
  await auth('/two-factor/enable', { password }, { Authorization: `Bearer ${token}` })
    .then(answer => answer.text())
    .then(text => secrets.set('one-time code secret', /secret=([A-Z2-7]+)/.exec(text)?.[1] ?? 'otpauth'))

  const before = inbox.texts.length
  await auth('/request-password-reset', { email })
  await until('the reset mail', () => inbox.texts.length > before)
  const resetToken = captured(/#token=(\S+)/, itemAt(inbox.texts, before))
  secrets.set('reset token', resetToken)
  await auth('/reset-password', { token: 'CanaryWrongResetToken', newPassword })
  expect((await auth('/reset-password', { token: resetToken, newPassword })).status).toBe(200)
  await auth('/reset-password', { token: resetToken, newPassword })
  return token
}

/** Tools with a personal access token, in each supported way and in wrong places. */
async function useTools(patio: Patio, secrets: Secrets, client: Client): Promise<void> {
  const { token } = await client.call(createPersonalToken, { body: { name: 'Logged' } })
  const password = Buffer.from(`patio:${token}`).toString('base64')
  secrets.set('personal access token', token)
  secrets.set('its secret part', token.slice('patio_pat_'.length, 30))
  secrets.set('the same as a password', password)
  const ask = async (path: string, authorization: string, init: RequestInit = {}) => {
    const headers = { Authorization: authorization, 'Content-Type': 'application/json' }
    const answer = await fetch(`${patio.url}${path}`, { ...init, headers })
    return { status: answer.status, text: await answer.text() }
  }
  const bearer = `Bearer ${token}`
  const index = '/.well-known/agent-skills/index.json'
  expect((await ask(index, bearer)).status).toBe(200)
  expect((await ask('/.claude-plugin/marketplace.json', `Basic ${password}`)).status).toBe(200)
  const made = await ask('/install-address', bearer)
  const address = new URL((JSON.parse(made.text) as { url: string }).url).pathname
  secrets.set('address for an installer', itemAt(address.split('/'), 2))
  secrets.set('its seal', lastOf(address.split('.')))
  expect((await ask(`${address}${index}`, '')).status).toBe(200)

  for (const wrong of [`Bearer ${token}x`, `Basic ${token}`, token, `Digest ${token}`])
    await ask(index, wrong)
  await ask(`${index}?token=${token}`, '')
  await ask(`/t/${token}${index}`, '')
  await ask(`${address}/nothing/here`, '')
  await ask(`/${token}`, bearer)
  await ask('/api/studio/assets', bearer)
  const rpc = (params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'prompts/get', params })
  for (const body of [rpc({ name: token }), rpc({ token: { token } }), `{"token":"${token}"`, `"${token}"`])
    await ask('/mcp', bearer, { method: 'POST', body })
}

/** A demo person at work: tokens, streams, changes, and refusals of every kind. */
async function useOperations(
  patio: Patio,
  secrets: Secrets,
  person: DemoPerson,
  inbox: Inbox,
): Promise<void> {
  const answer = await fetch(`${patio.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: patio.url },
    body: JSON.stringify({ email: person.email, password: person.password }),
  })
  const cookie = firstOf(firstOf(answer.headers.getSetCookie()).split(';'))
  secrets.set('cookie of a page', itemAt(cookie.split('='), 1))
  const { token } = await connect(patio.url, { headers: { Cookie: cookie } }).call(getSessionToken)
  secrets.set('session JWT', token)
  secrets.set('signature of the session JWT', itemAt(token.split('.'), 2))
  const client = connect(patio.url, { token })
  const stream = await openStream(patio.url, client)
  await client.call(createAsset, { body: asset })
  await stream.shows('asset-created')
  stream.close()
  const { token: streamToken } = await client.call(createStreamToken)
  secrets.set('stream token', streamToken)
  await fetch(`${patio.url}/api/studio/events?token=${streamToken}`).then(({ body }) => body?.cancel())
  // each credential in a wrong place
  await fetch(`${patio.url}/api/studio/events?token=${token}`)
  await fetch(`${patio.url}/api/studio/assets?token=${token}&apiKey=${typedKey}`)
  await fetch(`${patio.url}/api/studio/assets?key=${shortKey}`)
  await fetch(`${patio.url}/${token}`)
  await connect(patio.url, { token: streamToken }).send(listAssets)
  await fetch(`${patio.url}/api/external/v1/leads`, { headers: { 'X-Api-Key': typedKey } })
  for (const body of [`{"password":"${wrongPassword}"`, `{"token":"${token}"}`, `"${token}"`]) {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    await fetch(`${patio.url}/api/studio/assets`, { method: 'POST', headers, body })
  }

  await useTools(patio, secrets, client)

  inbox.isClosed = true
  const invitee = { email: 'invitee@example.test', role: 'MEMBER' as const }
  const unsent = await client.call(createInvitation, { body: invitee })
  expect(unsent.mailSent, 'a mail server that turns us away').toBe(false)
  inbox.isClosed = false
  const before = inbox.texts.length
  expect((await client.call(createInvitation, { body: invitee })).mailSent).toBe(true)
  const secret = captured(/#secret=(\S+)/, itemAt(inbox.texts, before))
  secrets.set('secret of the invitation', secret)
  const accept = { secret, name: 'Invitee', password: inviteePassword }
  await connect(patio.url).call(acceptInvitation, { body: accept })
  await connect(patio.url).send(acceptInvitation, { body: accept })
}

// the finest level includes all others
test('no log contains a secret at LOG_LEVEL=trace, and every error has its request id', async () => {
  const dataDir = await usedDataFolder()
  const inbox = await openInbox()
  const patio = await start('up', {
    DATA_DIR: dataDir,
    LOG_LEVEL: 'trace',
    SMTP_URL: inbox.url,
    MAIL_FROM: 'Patio <patio@example.test>',
  })
  const people = firstOf(readDemo(dataDir).organizations).people as [DemoPerson, DemoPerson]
  const storedSecrets = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'))
  const secrets: Secrets = new Map([
    ['password of the mail server', smtpPassword],
    ['the same as it is sent', Buffer.from(`\0patio\0${smtpPassword}`).toString('base64')],
    [
      'password of the database',
      new URL(readFileSync(join(dataDir, 'database.url'), 'utf8').trim()).password,
    ],
    ['SIGN_IN_SECRET', storedSecrets.signInSecret],
    ['key of session tokens', storedSecrets.sessionKeys[0].secret],
    ['wrong password', wrongPassword],
    ['new password', newPassword],
    ['password of the invitee', inviteePassword],
    ['key of an application', typedKey],
    ['key in an address', shortKey],
    ...people.map(({ email, password }) => [`password of ${email}`, password] as const),
  ])
  await useOperations(patio, secrets, people[0], inbox)
  await useSignIn(patio, secrets, people[1], inbox)

  // failures: the database dies during requests, and then a process
  const busy = Array.from({ length: 20 }, () =>
    fetch(`${patio.url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: people[0].email, password: people[0].password }),
    }).catch(() => {}),
  )
  process.kill(postmasterOf(dataDir), 'SIGKILL')
  await Promise.all(busy)
  const logEnd = patio.output().length
  process.kill(childrenOf(patio).worker, 'SIGKILL')
  await patio.waitForOutput(/acquired relay leases/, logEnd)
  await patio.stop()
  await inbox.close()

  // the banner prints the passwords of the demo; everything else is a log
  const logged = patio.output().replace(/\nPatio is ready at[\s\S]*?Ctrl-C stops everything\.\n/, '\n')
  const logs = logged + readFileSync(join(dataDir, 'postgres.log'), 'utf8')
  const lines = linesOf(logged)
  expect(lines.length).toBeGreaterThan(20)
  expect([...new Set(lines.map(({ name }) => name))].sort()).toEqual(['api', 'up', 'worker'])
  for (const [name, secret] of secrets) {
    expect(secret.length, name).toBeGreaterThan(8)
    const found = logs
      .split('\n')
      .find(line => line.includes(secret) || line.includes(encodeURIComponent(secret)))
    expect(found, `${name} was logged`).toBeUndefined()
  }
  const errors = lines.filter(line => line.level >= 50 && line.name === 'api')
  expect(errors.length, 'something failed').toBeGreaterThan(0)
  expect(errors.filter(({ requestId }) => !/^[\x21-\x7e]{8,128}$/.test(String(requestId ?? '')))).toEqual([])
})
