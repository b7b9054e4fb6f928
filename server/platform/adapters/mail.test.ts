import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { crowd } from '#tests/support/crowd.ts'
import { findIn, firstOf } from '#tests/support/elements.ts'
import { openSmtpServer } from '#tests/support/smtp.ts'
import { MailFailure, type MailMessage, openMail } from './mail.ts'

const from = 'Patio <patio@example.com>'
const message: MailMessage = { to: 'ada@example.com', subject: 'Grüße aus dem Hof', text: 'Hello Ada.\n' }

let folder: string
const toClose: (() => Promise<unknown>)[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'patio-mail-'))
})
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close()
  await rm(folder, { recursive: true })
})

type Taken = { from: string; to: string[]; user: string | undefined; raw: string; connection: string }

async function openServer(options: { password?: string } = {}) {
  const taken: Taken[] = []
  const server = new SMTPServer({
    authOptional: options.password === undefined,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth({ username = '', password }, _session, done) {
      if (password === options.password) done(null, { user: username })
      else done(new Error('Wrong password'))
    },
    onData(stream, { envelope, user, id }, done) {
      const chunks: Buffer[] = []
      stream.on('data', chunk => chunks.push(chunk))
      stream.on('end', () => {
        taken.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(recipient => recipient.address),
          user: user as string | undefined,
          raw: Buffer.concat(chunks).toString(),
          connection: id,
        })
        done()
      })
    },
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  toClose.push(() => new Promise<void>(resolve => server.close(() => resolve())))
  return { taken, port: (server.server.address() as { port: number }).port }
}

function open(url: string | undefined, outbox = folder) {
  const mail = openMail(url, outbox, from)
  toClose.push(() => mail.close())
  return mail
}

test('sends over SMTP, with copies, HTML and attachments', async () => {
  const { taken, port } = await openServer({ password: 'p@ss' })
  const mail = open(`smtp://patio:p%40ss@127.0.0.1:${port}`)
  const { messageId } = await mail.send({
    ...message,
    to: ['ada@example.com', 'grace@example.com'],
    cc: 'linus@example.com',
    html: '<p>Hello Ada.</p>',
    attachments: [
      { filename: 'invoice.pdf', content: Buffer.from('%PDF-1.7'), contentType: 'application/pdf' },
    ],
  })
  expect(taken).toHaveLength(1)
  const [{ raw, ...envelope }] = taken as [Taken]
  expect(envelope).toMatchObject({
    from: 'patio@example.com',
    to: ['ada@example.com', 'grace@example.com', 'linus@example.com'],
    user: 'patio',
  })
  expect(raw).toContain('From: Patio <patio@example.com>\r\n')
  expect(raw).toContain('Cc: linus@example.com\r\n')
  expect(raw).toContain('Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe_aus_dem_Hof?=\r\n')
  expect(raw).toContain(`Message-ID: ${messageId}`)
  expect(raw).toContain(Buffer.from('%PDF-1.7').toString('base64'))
})

test('many messages share a few connections', async () => {
  const { taken, port } = await openServer()
  const mail = open(`smtp://127.0.0.1:${port}`)
  await Promise.all(
    Array.from({ length: 20 }, (_, index) => mail.send({ ...message, subject: `No. ${index}` })),
  )
  expect(taken).toHaveLength(20)
  expect(new Set(taken.map(({ connection }) => connection)).size).toBeLessThanOrEqual(5)
})

test('a refused password and an unreachable server reject, without the password in the error', async () => {
  const { port } = await openServer({ password: 'right' })
  const error = await open(`smtp://patio:topsecret@127.0.0.1:${port}`)
    .send(message)
    .catch((reason: Error) => reason)
  expect(error).toBeInstanceOf(Error)
  expect(JSON.stringify(error) + String(error)).not.toContain('topsecret')
  await expect(open('smtp://127.0.0.1:9').send(message)).rejects.toThrow(/ECONNREFUSED/)
})

test('a silent server times out after ten seconds', async () => {
  const silent: Server = createServer(() => {})
  await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
  toClose.push(() => new Promise(resolve => silent.close(resolve)))
  const { port } = silent.address() as { port: number }
  const started = performance.now()
  const mail = open(`smtp://127.0.0.1:${port}`)
  await expect(mail.send(message)).rejects.toThrow(/greeting|timeout/i)
  const took = performance.now() - started
  expect(took).toBeGreaterThan(9_500)
  expect(took).toBeLessThan(13_000 * crowd())
})

async function scripted() {
  const server = await openSmtpServer()
  toClose.push(() => server.close())
  const mail = open(server.url)
  const failure = (given: Partial<MailMessage> = {}) =>
    mail.send({ ...message, ...given }).then(
      () => {
        throw new Error('it was sent')
      },
      (error: unknown) => error as MailFailure,
    )
  return { ...server, mail, failure }
}

test('a message has the given id and reply address', async () => {
  const { mail, taken } = await scripted()
  const sent = await mail.send({ ...message, messageId: 'one@patio.example', replyTo: 'us@patio.example' })
  expect(sent).toEqual({ messageId: '<one@patio.example>', rejected: [] })
  expect(firstOf(taken).raw).toContain('Message-ID: <one@patio.example>\r\n')
  expect(firstOf(taken).raw).toContain('Reply-To: us@patio.example\r\n')
})

test('refused recipients are returned as they were given', async () => {
  const { mail, script, taken } = await scripted()
  script.refuses = new Set(['gone@münchen.example', 'bob@example.com'])
  const given = { to: ['ada@example.com', 'gone@München.example'], cc: ['bob@example.com'] }
  expect(await mail.send({ ...message, ...given })).toMatchObject({
    rejected: ['gone@München.example', 'bob@example.com'],
  })
  expect(taken.map(({ to }) => to)).toEqual([['ada@example.com']])
})

test('a refusal by the server is reported, and nothing is sent', async () => {
  const { script, failure } = await scripted()
  script.refuses = new Set(['ada@example.com'])
  const atRecipients = await failure()
  expect(atRecipients).toBeInstanceOf(MailFailure)
  expect(atRecipients).toMatchObject({ mayGoOut: false, answer: '550 No such mailbox' })
  script.refuses.clear()
  script.afterData = 'refuses'
  expect(await failure()).toMatchObject({ mayGoOut: false, answer: '554 Looks like spam' })
})

test('if the connection is lost during the message, nothing is sent', async () => {
  const { script, failure, taken } = await scripted()
  script.dropsAtRecipients = true
  expect(await failure()).toMatchObject({ mayGoOut: false, answer: null })
  expect(taken).toEqual([])
})

test('if the connection is lost after the message, it may be sent, and is not repeated', async () => {
  const { script, failure, taken, mail } = await scripted()
  await mail.send(message)
  script.afterData = 'drops'
  // over a connection that was used before, and over a new one
  expect(await failure()).toMatchObject({ mayGoOut: true, answer: null })
  expect(await failure()).toMatchObject({ mayGoOut: true, answer: null })
  expect(taken).toHaveLength(3)
})

test('a server that never accepts the message times out', async () => {
  const { script, failure, taken } = await scripted()
  script.afterData = 'hangs'
  expect(await failure()).toMatchObject({ mayGoOut: true, answer: null })
  expect(taken).toHaveLength(1)
})

test('without a server each message becomes one private file', async () => {
  const outbox = join(folder, 'made', 'when needed')
  const mail = open(undefined, outbox)
  const sent = await Promise.all(
    Array.from({ length: 25 }, (_, index) => mail.send({ ...message, text: `Message ${index}.` })),
  )
  const names = await readdir(outbox)
  expect(names).toHaveLength(25)
  expect(names.every(name => /^\d{8}T\d{9}Z-c[0-9a-z]{24}\.eml$/.test(name))).toBe(true)
  const texts = await Promise.all(names.map(name => readFile(join(outbox, name), 'utf8')))
  for (const [index, { messageId }] of sent.entries()) {
    const text = findIn(texts, candidate => candidate.includes(messageId))
    expect(text).toContain('To: ada@example.com\r\n')
    expect(text).toContain(`Message ${index}.`)
  }
  for (const name of names) expect((await stat(join(outbox, name))).mode & 0o777).toBe(0o600)
  expect((await stat(outbox)).mode & 0o777).toBe(0o700)
})

test('a failed write rejects and leaves nothing behind', async () => {
  const mail = open(undefined, '/dev/null/mail')
  await expect(mail.send(message)).rejects.toThrow()
})

test.each([
  ['to', { to: 'ada@example.com\r\nBcc: eve@example.com' }],
  ['to', { to: 'ada@example.com, eve@example.com' }],
  ['to', { to: 'Ada <ada@example.com>' }],
  ['to', { to: ['ada@example.com', 'eve@example.com\nX: y'] }],
  ['to', { to: '' }],
  ['recipient', { to: [] }],
  ['cc', { cc: 'ada@example.com\0' }],
  ['replyTo', { replyTo: 'ada@example.com\r\nBcc: eve@example.com' }],
  ['messageId', { messageId: 'a@b>\r\nBcc: eve@example.com' }],
  ['subject', { subject: 'Hello\r\nBcc: eve@example.com' }],
  ['subject', { subject: 'Hello\nthere' }],
  ['filename', { attachments: [{ filename: 'a.pdf"\r\nX: y', content: '' }] }],
  ['contentType', { attachments: [{ filename: 'a.pdf', content: '', contentType: 'text/plain\r\nX: y' }] }],
] as [string, Partial<MailMessage>][])('refuses a smuggled header in %s: %j', async (field, change) => {
  const { taken, port } = await openServer()
  for (const url of [undefined, `smtp://127.0.0.1:${port}`]) {
    await expect(open(url).send({ ...message, ...change })).rejects.toThrow(
      new RegExp(`Mail refused: .*${field}`),
    )
  }
  expect(taken).toEqual([])
  expect(await readdir(folder)).toEqual([])
})

test('refuses a smuggled header in the sender', () => {
  expect(() => openMail(undefined, folder, 'Patio <a@example.com>\r\nBcc: eve@example.com')).toThrow(
    /Mail refused/,
  )
})

test('content cannot make the server read files or URLs', async () => {
  const mail = open(undefined)
  const attachment = { filename: 'x', content: { path: '/etc/hostname' } as unknown as string }
  await expect(mail.send({ ...message, attachments: [attachment] })).rejects.toThrow()
})
