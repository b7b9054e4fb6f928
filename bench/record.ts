/**
 * The recorder: a short-lived process that runs the product, makes one request of each kind and records its
 * statements. Statements that also occur without a request are background work and left out.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { openLog } from '#platform/log.ts'
import { openApiProcess, requireDatabase } from '#server/api.ts'
import { readConfig } from '#server/config.ts'
import { inTurn } from '#tests/support/elements.ts'
import { answer } from './answers.ts'
import { markedWords } from './names.ts'
import { type ObservedCall, type RecordedStep, type Recording, replySource, stepsOf } from './recording.ts'
import type { CliOptions } from './request-template.ts'

export type RecordKind = CliOptions & { name: string }

const variantsOfEach = 16
let recorded: ObservedCall[] | undefined
listenToStatements()
answer({ record })

async function record(kinds: RecordKind[]): Promise<Recording[]> {
  const api = await openApiProcess(requireDatabase(readConfig()), openLog('warn', 'recorder'))
  try {
    const ownNames = new Set((await listen(() => sleep(2_200))).map(({ text }) => text))
    const recordings: Recording[] = []
    for (const kind of kinds) recordings.push(await recordKind(api.url, kind, ownNames))
    return recordings
  } finally {
    await api.close()
  }
}

async function recordKind(url: string, kind: RecordKind, own: ReadonlySet<string>): Promise<Recording> {
  const { name, method, path, status, ids = [''] } = kind
  const variants: RecordedStep[][] = []
  let reply = ''
  for (let at = 0; at < variantsOfEach; at++) {
    const token = inTurn(kind.tokens, at)
    // warms the caches, such as the caller's, so that the next request only does its own work
    await fetch(`${url}/api/auth/me`, { headers: { Authorization: `Bearer ${token}` } })
    const words = permuted(markedWords, at)
    const id = inTurn(ids, at)
    const startedAtMs = Date.now()
    // the same for a credential in another header
    if (method === 'GET') await ask(url, kind, token, text => text.replace('{id}', id))
    let answered: unknown
    const observed = await listen(async () => {
      answered = await ask(url, kind, token, text =>
        text.replace('{id}', id).replace('{name}', words.join(' ')),
      )
    })
    const steps = observed.filter(({ text }) => isOfRequest(text, own))
    variants.push(stepsOf(steps, { id: id || undefined, words, startedAtMs }))
    reply = replySource(answered, steps)
  }
  return { name, method, path, status, variants, reply }
}

/** Background work and signals to other processes are left out, because nothing waits for them. */
function isOfRequest(text: string, own: ReadonlySet<string>): boolean {
  return ['begin', 'commit'].includes(text) || !(own.has(text) || text.includes('pg_notify'))
}

async function ask(
  url: string,
  kind: RecordKind,
  token: string,
  fill: (text: string) => string,
): Promise<unknown> {
  const { method, path, body, status, headers = '' } = kind
  const response = await fetch(url + fill(path), {
    method,
    headers: {
      ...Object.fromEntries(headers.split('\r\n').flatMap(line => (line ? [line.split(': ')] : []))),
      Authorization: `Bearer ${token}`,
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: fill(body) }),
  })
  const text = await response.text()
  if (response.status !== status) throw new Error(`${method} ${path} answered ${response.status} ${text}`)
  return JSON.parse(text)
}

/** The `n`-th permutation of the words: each is another name with the same words. */
function permuted(words: readonly string[], n: number): string[] {
  const left = [...words]
  const order: string[] = []
  for (let rest = n; left.length > 0; rest = Math.floor(rest / (left.length + 1))) {
    order.push(...left.splice(rest % left.length, 1))
  }
  return order
}

/** The statements that were sent while `act` ran. */
async function listen(act: () => Promise<unknown>): Promise<ObservedCall[]> {
  recorded = []
  const mine = recorded
  await act()
  recorded = undefined
  return mine
}

type Callback = (error: Error | null, result: pg.QueryResult) => void
type Config = string | { name?: string; text: string; values?: unknown[]; callback?: Callback }

function listenToStatements(): void {
  const prototype = pg.Client.prototype as unknown as Record<'query', (...args: unknown[]) => unknown>
  const query = prototype.query
  prototype.query = function (this: pg.Client, ...args: unknown[]) {
    if (!recorded) return query.apply(this, args)
    const given = args[0] as Config
    const config = typeof given === 'string' ? { text: given } : given
    const { name, text, values = [], callback } = config
    const one: ObservedCall = { ...(name !== undefined && { name }), text, values, rows: [] }
    recorded.push(one)
    const recording =
      (answered: Callback): Callback =>
      (error, result) => {
        one.rows = result?.rows ?? []
        answered(error, result)
      }
    const at = args.findIndex(arg => typeof arg === 'function')
    if (at !== -1) args[at] = recording(args[at] as Callback)
    else if (callback) config.callback = recording(callback)
    const reply = query.apply(this, args)
    if (!(reply instanceof Promise)) return reply
    return reply.then((result: pg.QueryResult) => {
      one.rows = result.rows
      return result
    })
  }
}
