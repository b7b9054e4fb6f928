import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { domainToASCII } from 'node:url'
import type { SendMailOptions, Transporter } from 'nodemailer'
import { limits } from '#contract/limits.ts'
import { now } from '../clock.ts'
import { newId } from '../ids.ts'
import { inSpan } from '../traces.ts'

export type MailMessage = {
  /** The display name of the sender; the address stays ours. */
  fromName?: string
  /** Plain addresses, one per recipient, without display names. */
  to: string | string[]
  cc?: string | string[]
  /** The address for replies, if not the sender's. */
  replyTo?: string
  /** `id@domain`; generated if absent. Mailboxes show two messages with the same id as one. */
  messageId?: string
  subject: string
  text: string
  html?: string
  attachments?: MailAttachment[]
}

/** With a `contentId` (`name@domain`), the HTML part shows it as `cid:name@domain`. */
type MailAttachment = {
  filename: string
  content: string | Uint8Array
  contentType?: string
  contentId?: string
}

/** `rejected` lists the recipients that the server refused; it accepted at least one. */
export type SentMail = { messageId: string; rejected: string[] }

export type Mail = {
  /**
   * Resolves once the server (or the outbox) has accepted the message. Rejects after 30 s at the latest; with
   * MailFailure if the server failed.
   */
  send(message: MailMessage): Promise<SentMail>
  close(): Promise<void>
}

type SmtpError = Error & { response?: unknown; command?: string; code?: string; responseCode?: number }

/** The server did not accept the message. */
export class MailFailure extends Error {
  /** The whole message was sent and the connection lost before the reply: the message may be delivered. */
  readonly mayGoOut: boolean
  /** The reply of the server, if any. */
  readonly answer: string | null
  /** The server refused the recipients or the message permanently: a retry is useless. */
  readonly isPermanent: boolean
  constructor(error: SmtpError, mayGoOut: boolean) {
    super(error.message, { cause: error })
    this.mayGoOut = mayGoOut
    this.answer = typeof error.response === 'string' ? error.response : null
    const { command, code, responseCode = 0 } = error
    this.isPermanent = (command === 'RCPT TO' || code === 'EMESSAGE') && responseCode >= 500
  }
}

const stepTimeoutMs = 10_000
const sendTimeoutMs = 30_000

/**
 * Opens the mail transport. With `smtpUrl` (`smtp://user:secret@host:587`, `smtps://…`), messages go to that
 * server over pooled connections; without it, each becomes one `.eml` file in `outboxDir`.
 *
 *
 * @param from the sender of every message, `Name <address>` or an address
 * @throws if a header value could inject another header
 */
export function openMail(smtpUrl: string | undefined, outboxDir: string, from: string): Mail {
  assertOneLine('from', from)
  const mail = smtpUrl ? openSmtp(smtpUrl, from) : openOutbox(outboxDir, from)
  return {
    send: message => inSpan({ name: 'send mail', kind: 'client' }, () => mail.send(message)),
    close: mail.close,
  }
}

/** A transport that is loaded and opened for the first message, because many servers send none for days. */
function lazyTransport(
  options: object,
  prepare: (transport: Transporter) => void = () => {},
): { open(): Promise<Transporter>; close(): Promise<void> } {
  let opened: Promise<Transporter> | undefined
  return {
    open: () => {
      opened ??= import('nodemailer').then(({ createTransport }) => {
        const transport: Transporter = createTransport(options)
        prepare(transport)
        return transport
      })
      return opened
    },
    close: async () => (await opened)?.close(),
  }
}

function openSmtp(url: string, from: string): Mail {
  const options = {
    url,
    pool: true,
    dnsTimeout: stepTimeoutMs,
    connectionTimeout: stepTimeoutMs,
    greetingTimeout: stepTimeoutMs,
    socketTimeout: stepTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  const transport = lazyTransport(options, transport => {
    transport.use('stream', ({ data, message }, done) => {
      const { progress } = data as typeof data & { progress: Progress }
      message.processFunc((input: Readable) => Readable.from(trackProgress(input, progress)))
      done()
    })
  })
  return {
    async send(message) {
      const mailOptions = envelope(message, from)
      const progress: Progress = { isComplete: false }
      // each step has a timeout, but a server that trickles could stay below them all
      const signal = AbortSignal.timeout(sendTimeoutMs)
      const open = await transport.open()
      try {
        const { messageId, rejected = [] } = await open.sendMail({
          ...mailOptions,
          signal,
          progress,
        } as SendMailOptions)
        return { messageId, rejected: matchingAddresses(recipientsOf(message), rejected) }
      } catch (error) {
        throw new MailFailure(error as SmtpError, progress.isComplete && !isAnswer(error))
      }
    },
    close: transport.close,
  }
}

/** Whether the server has the whole message, so that it may accept it. */
type Progress = { isComplete: boolean }

async function* trackProgress(message: Readable, progress: Progress): AsyncGenerator<Buffer> {
  yield* message
  progress.isComplete = true
}

/** Whether the server itself refused the recipients or the message. Any other error says nothing about it. */
function isAnswer(error: unknown): boolean {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number }
  return code === 'EENVELOPE' || (code === 'EMESSAGE' && responseCode >= 400)
}

/** The addresses that the transport names; it writes domains in ASCII. */
function matchingAddresses(addresses: string[], named: (string | { address: string })[]): string[] {
  const keys = new Set(named.map(one => inAscii(typeof one === 'string' ? one : one.address)))
  return addresses.filter(address => keys.has(inAscii(address)))
}

function inAscii(address: string): string {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  return `${address.slice(0, at)}@${domainToASCII(domain) || domain}`
}

function recipientsOf({ to, cc = [] }: MailMessage): string[] {
  return [to, cc].flat()
}

function openOutbox(folder: string, from: string): Mail {
  const transport = lazyTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send(message) {
      const { messageId, message: bytes } = await (await transport.open()).sendMail(envelope(message, from))
      await mkdir(folder, { recursive: true, mode: 0o700 })
      // the name sorts by time; the file appears by renaming, so a reader never sees part of a message
      const name = `${now().toISOString().replaceAll(/[-:.]/g, '')}-${newId()}.eml`
      await writeFileAtomically(join(folder, `.${name}.part`), join(folder, name), bytes as Buffer)
      return { messageId, rejected: [] }
    },
    async close() {},
  }
}

async function writeFileAtomically(part: string, path: string, bytes: Buffer): Promise<void> {
  const file = await open(part, 'wx', 0o600)
  try {
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

function envelope(message: MailMessage, from: string): SendMailOptions {
  assertOneLine('subject', message.subject)
  const { messageId, replyTo } = message
  if (messageId !== undefined && !plainAddress.test(messageId))
    throw new Error('Mail refused: messageId is not a plain id')
  const { attachments = [] } = message
  for (const { filename, contentType, contentId } of attachments) {
    assertOneLine('filename', filename)
    assertOneLine('contentType', contentType ?? '')
    if (contentId !== undefined && !plainAddress.test(contentId))
      throw new Error('Mail refused: contentId is not a plain id')
  }
  if (
    attachments.reduce((bytes, { content }) => bytes + Buffer.byteLength(content), 0) >
    limits.mailAttachmentBytes
  )
    throw new Error('Mail refused: the attachments are too large')
  const to = addresses('to', message.to)
  if (to.length === 0) throw new Error('Mail refused: no recipient')
  return {
    from: senderOf(from, message.fromName),
    to,
    cc: addresses('cc', message.cc ?? []),
    ...(replyTo !== undefined && { replyTo: addresses('replyTo', replyTo) }),
    ...(messageId !== undefined && { messageId: `<${messageId}>` }),
    subject: message.subject,
    text: message.text,
    html: message.html,
    date: now(),
    attachments: attachments.map(({ filename, content, contentType, contentId }) => ({
      filename,
      content: typeof content === 'string' ? content : Buffer.from(content),
      contentType,
      ...(contentId !== undefined && { cid: contentId, contentDisposition: 'inline' as const }),
    })),
  }
}

const fromNameCharacters = 100

/** The sender with another display name, which users choose: one line, and not an address. */
function senderOf(from: string, fromName = ''): string | { name: string; address: string } {
  const name = [...fromName.replaceAll(/[\p{C}\p{Z}<>@]+/gu, ' ').trim()]
    .slice(0, fromNameCharacters)
    .join('')
  if (name === '') return from
  return { name, address: /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim() }
}

// passed as objects, so that no text is parsed as a list: 'a@x, b@y' can never become two recipients
function addresses(field: string, value: string | string[]): { name: string; address: string }[] {
  return (Array.isArray(value) ? value : [value]).map(address => {
    if (!plainAddress.test(address)) throw new Error(`Mail refused: ${field} is not a plain address`)
    return { name: '', address }
  })
}

const plainAddress = /^[^\s@<>()[\],;:"\\\p{Cc}]{1,64}@[^\s@<>()[\],;:"\\\p{Cc}]{1,255}$/u

function assertOneLine(field: string, value: string): void {
  if (/\p{Cc}|[\u2028\u2029]/u.test(value))
    throw new Error(`Mail refused: ${field} contains a control character`)
}
