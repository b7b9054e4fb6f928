#!/usr/bin/env node
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { readOwnApplication } from '#contract/integrations/applications.ts'
import { CallError, type Client, connect } from './client.ts'
import { cursorAt, type Forwarded, listen, reasonOf } from './listen.ts'

const usage = `Usage: patio-listen --key patio_app_… --to http://127.0.0.1:3000/hook

Posts what an application is told to an address of your own, for development.

  --key     key of the application                        or PATIO_KEY
  --to      where notices are posted to
  --secret  what they are signed with; else one is made   or PATIO_WEBHOOK_SECRET
  --url     address of Patio, http://localhost:4000       or PATIO_URL
  --since   10m, 2h, 1d, a time, or the id of a delivery; else from now on
  --prefix  what the names of the headers begin with, X-Service-
`

/** An error that the user can correct, with a message for people. */
class Complaint extends Error {}

const { env } = process
const text = { type: 'string' } as const
const options = {
  key: { ...text, default: env.PATIO_KEY },
  to: text,
  secret: { ...text, default: env.PATIO_WEBHOOK_SECRET },
  url: { ...text, default: env.PATIO_URL ?? 'http://localhost:4000' },
  since: text,
  prefix: text,
  help: { type: 'boolean', short: 'h' },
} as const

const stopping = new AbortController()
const { signal } = stopping
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort())

async function main(): Promise<void> {
  const { key, to, url, since, prefix: headerPrefix, help, ...given } = readArguments()
  if (help) return say(usage)
  if (!key)
    complain('Say as which application, with --key or PATIO_KEY. The keys of the demo are in data/demo.json.')
  if (!to || !URL.canParse(to) || !/^https?:/.test(to))
    complain('Say where to, with --to http://127.0.0.1:3000/hook.')
  const secret = given.secret ?? `whsec_${randomBytes(32).toString('base64url')}`
  const client = connect(url, { apiKey: key }, { retries: 0 })

  const { name, slug, nowMs } = await whoAmI(client, url)
  let after = placeOf(since, nowMs)
  say(`Listening as ${name} (${slug}): what it is told goes to ${to}`)
  if (!given.secret) say(`Signed with ${secret}, made for this run: --secret takes yours`)
  say('Notices come some seconds after they were written, and only those that the webhook asks for.')
  try {
    const onPause = (why: string, seconds: number) =>
      say(`Patio does not answer (${why}); it is asked again in ${seconds} s`)
    for await (const one of listen({ client, to, secret, after, headerPrefix, signal, onPause })) {
      after = one.delivery.id
      say(lineOf(one))
    }
  } catch (error) {
    refuse(error)
  } finally {
    say(`Stopped. To go on from here: --since ${after}`)
  }
}

function readArguments() {
  try {
    return parseArgs({ options }).values
  } catch (error) {
    return complain(`${(error as Error).message}\n\n${usage}`)
  }
}

/** The application of the key, and the time of the server, because the local clock may be wrong. */
async function whoAmI(client: Client, url: string) {
  const answer = await client.send(readOwnApplication, { signal }).catch(error => {
    signal.throwIfAborted()
    return complain(
      `Nothing answers at ${url} (${reasonOf(error)}). Start Patio, or say where it is with --url.`,
    )
  })
  if (answer.status !== 200) refuse(new CallError(answer))
  if (!answer.body?.slug) complain(`What answers at ${url} is not Patio. Say where it is with --url.`)
  // the server's time has seconds; the local clock is used within the second
  const secondMs = Date.parse(answer.headers.get('date') ?? '') || Date.now()
  return { ...answer.body, nowMs: Math.min(Math.max(Date.now(), secondMs), secondMs + 999) }
}

/** Explains how to resolve the expected refusals. */
function refuse(error: unknown): never {
  if (!(error instanceof CallError)) throw error
  const { status, message } = error
  if (status === 401)
    complain('Patio does not know this key: it may be cut short, revoked, or of another server (--url).')
  if (status === 404) complain('What answers there is not Patio. Say where it is with --url.')
  complain(`Patio refuses: ${message}`)
}

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

function placeOf(since: string | undefined, nowMs: number): string {
  if (since === undefined) return cursorAt(nowMs)
  if (/^c[a-z0-9]{8,}$/.test(since)) return since
  const [, count, unit] = /^(\d+)([smhd])$/.exec(since) ?? []
  if (unit) return cursorAt(nowMs - Number(count) * unitMs[unit as keyof typeof unitMs])
  const ms = Date.parse(since)
  return Number.isNaN(ms)
    ? complain('--since must be like 10m, 2h or 1d, a time, or the id of a delivery.')
    : cursorAt(ms)
}

function lineOf({ delivery: { id, event }, result, ms }: Forwarded): string {
  return `${new Date().toLocaleTimeString('sv')}  ${event.padEnd(22)} ${id}  ${result}  ${ms} ms`
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function complain(message: string): never {
  throw new Complaint(message)
}

try {
  await main()
} catch (error) {
  if (!signal.aborted) {
    process.exitCode = 1
    process.stderr.write(`${error instanceof Complaint ? error.message : (error as Error).stack}\n`)
  }
}
