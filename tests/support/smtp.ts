import { once } from 'node:events'
import type { Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** How the server treats a message: at RCPT, or after the message. */
export type SmtpScript = {
  /** Recipients that it refuses. */
  refuses: Set<string>
  /** Recipients about which it never answers. */
  hangs: Set<string>
  /** Loses the connection at RCPT. */
  dropsAtRecipients: boolean
  /**
   * After the message: accepts it, refuses it, loses the connection, sends an invalid reply, or nothing until
   * `release`.
   */
  afterData: 'takes' | 'refuses' | 'drops' | 'mumbles' | 'hangs'
}
export type ReceivedMail = { from: string; to: string[]; raw: string }

export type SmtpServer = {
  readonly url: string
  /** Every complete message, whatever the reply. */
  readonly taken: ReceivedMail[]
  readonly script: SmtpScript
  /** Resolves after this many complete messages. */
  came(messages: number): Promise<void>
  /** Sends the delayed replies. */
  release(): void
  close(): Promise<void>
}

/** A mail server for tests that follows its script. */
export async function openSmtpServer(): Promise<SmtpServer> {
  const script: SmtpScript = {
    refuses: new Set(),
    hangs: new Set(),
    dropsAtRecipients: false,
    afterData: 'takes',
  }
  const taken: ReceivedMail[] = []
  const hanging: (() => void)[] = []
  const sockets = new Set<Socket>()
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address }, _session, done) {
      if (script.dropsAtRecipients) drop()
      else if (script.refuses.has(address)) done(refusal(550, 'No such mailbox'))
      else if (!script.hangs.has(address)) done()
    },
    onData(stream, { envelope }, done) {
      const pieces: Buffer[] = []
      stream.on('data', piece => pieces.push(piece))
      stream.on('end', () => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        const to = envelope.rcptTo.map(({ address }) => address)
        taken.push({ from, to, raw: Buffer.concat(pieces).toString() })
        server.emit('came')
        if (script.afterData === 'takes') done()
        else if (script.afterData === 'refuses') done(refusal(554, 'Looks like spam'))
        else if (script.afterData === 'drops') drop()
        else if (script.afterData === 'mumbles') for (const socket of sockets) socket.write('hello you\r\n')
        else hanging.push(done)
      })
    },
  })
  server.on('error', () => {})
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as { port: number }
  return {
    url: `smtp://127.0.0.1:${port}`,
    taken,
    script,
    async came(messages) {
      while (taken.length < messages) await once(server, 'came')
    },
    release() {
      for (const done of hanging.splice(0)) done()
    },
    async close() {
      drop()
      await new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}

/** A part of a message, decoded. */
export type MessagePart = { type: string; head: string; bytes: Buffer }

/** The leaf parts of a message, in order. */
export function partsOf(raw: string): MessagePart[] {
  const parts = raw.split(/\r\n--[^\r\n]+(?:--)?\r\n/).slice(1)
  return parts.flatMap(part => {
    const at = part.indexOf('\r\n\r\n')
    const [head, body] = [part.slice(0, at), part.slice(at + 4)]
    const type = /^Content-Type: ([^;\r\n]+)/im.exec(head)?.[1]
    if (type === undefined || type.startsWith('multipart/')) return []
    return [{ type, head, bytes: /base64/i.test(head) ? Buffer.from(body, 'base64') : unquoted(body) }]
  })
}

/** A message, or a part of one, as a person reads it: encoded words and quoted-printable text are decoded. */
export function decoded(raw: string): string {
  const words = raw
    .replace(/\?=\r?\n? =\?/g, '?==?')
    .replace(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64').toString()
        : unquoted(text.replaceAll('_', ' ')).toString(),
    )
  // a link of a text without encoding may have what looks like a quoted byte: `secret=A1…`
  const isPlain = /^content-transfer-encoding: 7bit/im.test(raw) && !/: quoted-printable/i.test(raw)
  return isPlain ? words : unquotedText(words)
}

function unquotedText(text: string): string {
  return text
    .replaceAll('=\r\n', '')
    .replace(/(?:=[0-9A-F]{2})+/g, bytes => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString())
}

function unquoted(text: string): Buffer {
  const bytes = text
    .replaceAll('=\r\n', '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1')
}
