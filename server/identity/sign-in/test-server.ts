import fastify, { type FastifyBaseLogger } from 'fastify'
import { SMTPServer } from 'smtp-server'
import { openMail } from '#platform/adapters/mail.ts'
import { openDatabase } from '#platform/data/database.ts'
import { newId } from '#platform/ids.ts'
import { repeatQueuedMails } from '#platform/jobs/mail-queue.ts'
import { openLog } from '#platform/log.ts'
import { freePort } from '#platform/ports.ts'
import { openCipher } from '#platform/security/cipher.ts'
import { defined } from '#tests/support/elements.ts'
import { freshDatabase } from '#tests/support/postgres.ts'
import { until } from '#tests/support/processes.ts'
import { decoded } from '#tests/support/smtp.ts'
import { setLocked, setUnlocked } from '../operator/operator.sql.ts'
import { buildSignIn } from './build.ts'
import { signInRoutes } from './mount.ts'
import { mailResetLink, passwordResetMail } from './reset-mail.ts'
import type { SignInOptions } from './sign-in.ts'

export const testSecret = 'a secret of the tests, thirty-two and more'
export const strongPassword = 'Vierzig blaue Traktoren'

export type SignInServer = Awaited<ReturnType<typeof openSignInServer>>

/** A complete sign-in server: PostgreSQL, HTTP on a separate port, mail over SMTP, a recorded log. */
export async function openSignInServer(
  more: Partial<Pick<SignInOptions, 'oidc' | 'publicUrl' | 'pool' | 'secret' | 'formerSecrets'>> = {},
) {
  const [fresh, smtp, port] = await Promise.all([freshDatabase(), openInbox(), freePort('localhost')])
  const database = await openDatabase({
    url: fresh.url,
    poolSize: 8,
    connectTimeoutMs: 5_000,
    statementTimeoutMs: 10_000,
    lockTimeoutMs: 5_000,
    idleInTransactionTimeoutMs: 10_000,
    applicationName: 'sign-in tests',
  })
  const lines: string[] = []
  const log = openLog('debug', 'sign-in tests', { write: line => void lines.push(line) })
  const url = `http://localhost:${port}`
  const mail = openMail(smtp.url, '', 'Patio <patio@example.com>')
  const mailer = {
    database,
    mail,
    log,
    publicUrl: url,
    services: { cipher: openCipher([testSecret]), publicUrl: url },
  }
  const organizationId = newId()
  await database.pool.query(`insert into organization (id, name, plan) values ($1, 'Example', 'FREE')`, [
    organizationId,
  ])
  const ended: string[] = []
  const signIn = buildSignIn({
    pool: database.pool,
    publicUrl: url,
    secret: testSecret,
    mailResetLink: (personId, token) => mailResetLink(mailer, personId, token),
    log,
    onSessionsChanged: async personId => {
      ended.push(personId)
    },
    ...more,
  })
  const app = fastify({ loggerInstance: log as FastifyBaseLogger })
  // routes that identity adds beside sign-in
  app.get('/api/auth/token', async () => ({ token: 'ours' }))
  app.get('/', async (_request, reply) => reply.type('text/html').send('<!doctype html><title>Patio</title>'))
  await signInRoutes(app, signIn)
  await app.listen({ port, host: 'localhost' })
  return {
    url,
    app,
    pool: database.pool,
    signIn,
    /** The people whose sessions were reported as ended, in order. */
    ended,
    /** The whole log so far. */
    logged: () => lines.join(''),
    inbox: smtp.messages,
    mailServer: smtp,
    client: (kind?: ClientKind) => openClient(url, kind),
    /** Locks a person as an operator does. */
    lock: (personId: string) => database.crossTenant.first(setLocked, { personId, reason: 'for this test' }),
    unlock: (personId: string) => database.crossTenant.first(setUnlocked, { personId }),
    /** Resets the counters, so that one test does not limit the next. */
    forgetRates: () => database.pool.query('delete from sign_in_rate'),
    /** Repeats the mails that are due, as a worker does. */
    repeatMails: () => repeatQueuedMails(mailer, new Map([[passwordResetMail.name, passwordResetMail]])),
    async person(email: string, password = strongPassword) {
      const person = await signIn.createPerson({ email, name: 'Ada Example', password })
      await database.pool.query(
        `insert into membership (organization_id, person_id, role, name, email) values ($1, $2, 'MEMBER', 'Ada Example', $3)`,
        [organizationId, person.id, email.toLowerCase()],
      )
      return person
    },
    async close() {
      await app.close()
      await signIn.settled()
      await mail.close()
      await smtp.close()
      await database.close()
      await fresh.drop()
    },
  }
}

type ClientKind = 'browser' | 'tool'
export type SignInReply = { status: number; headers: Headers; body: Record<string, unknown> }
export type SignInClient = ReturnType<typeof openClient>

/** Stores cookies. A browser sends its origin and gets no token in bodies; a tool behaves like curl. */
function openClient(url: string, kind: ClientKind = 'browser') {
  const cookies = new Map<string, string>()
  async function call(
    method: string,
    path: string,
    body?: unknown,
    more: Record<string, string> = {},
  ): Promise<SignInReply> {
    const headers: Record<string, string> = { ...more }
    if (cookies.size > 0)
      headers.cookie ??= [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    if (kind === 'browser') headers.origin ??= url
    if (body !== undefined) headers['content-type'] ??= 'application/json'
    const answer = await fetch(`${url}/api/auth${path}`, {
      method,
      headers,
      redirect: 'manual',
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [pair = '', ...attributes] = cookie.split('; ')
      const at = pair.indexOf('=')
      if (attributes.includes('Max-Age=0')) cookies.delete(pair.slice(0, at))
      else cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, body: text ? JSON.parse(text) : null }
  }
  return {
    cookies,
    get: (path: string, headers?: Record<string, string>) => call('GET', path, undefined, headers),
    post: (path: string, body?: unknown, headers?: Record<string, string>) =>
      call('POST', path, body, headers),
    signIn: (email: string, password = strongPassword) => call('POST', '/sign-in/email', { email, password }),
  }
}

async function openInbox() {
  const messages: { to: string[]; text: string }[] = []
  const inbox = { delayMs: 0, isDown: false }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onMailFrom(_address, _session, done) {
      done(inbox.isDown ? new Error('try again later') : undefined)
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', chunk => chunks.push(chunk))
      stream.on('end', () => {
        const text = decoded(Buffer.concat(chunks).toString())
        messages.push({ to: session.envelope.rcptTo.map(recipient => recipient.address), text })
        setTimeout(done, inbox.delayMs)
      })
    },
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as { port: number }
  return Object.assign(inbox, {
    url: `smtp://127.0.0.1:${port}`,
    messages,
    close: () => new Promise<void>(resolve => server.close(() => resolve())),
  })
}

/** Waits until `look` returns a value, for effects that replies do not wait for, such as mail. */
export async function eventually<Found>(look: () => Found | undefined): Promise<Found> {
  await until('something is found', () => look() !== undefined)
  return defined(look())
}
