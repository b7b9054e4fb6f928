import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { crowd, hangsMs } from './crowd.ts'
import { defined } from './elements.ts'
import { databaseFolder } from './folders.ts'

/** One process of the product, started as an operator starts it. */
export type Patio = {
  readonly pid: number
  /** Its URL; empty for a worker. */
  readonly url: string
  /** The output of it and its children so far. */
  output(): string
  /** Its log lines, and those of its children. */
  lines(): LogLine[]
  /** Resolves with the first match in the output after position `from`. */
  waitForOutput(pattern: RegExp, from?: number): Promise<RegExpExecArray>
  readonly exited: Promise<Exit>
  /** Sends the signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Exit>
}
export type Exit = { code: number | null; signal: NodeJS.Signals | null; output: string; afterMs: number }
export type LogLine = { level: number; name: string; pid: number; msg: string } & Record<string, unknown>
export type Command =
  | 'up'
  | 'api'
  | 'worker'
  | 'migrate'
  | 'operator'
  | 'backup'
  | 'restore'
  | 'webhook-shards'
type Env = Record<string, string>

const ownProgram = join(import.meta.dirname, '../../server/main.mjs')
const groups = new Set<number>()
/** An overloaded server refuses with 503; a machine that is busy with tests is no reason to. */
const longTimeouts = { CONNECTION_TIMEOUT_MS: '20000', STATEMENT_TIMEOUT_MS: '25000' }
/** The timeouts that operators have, for tests of what these do. */
export const defaultTimeouts = { CONNECTION_TIMEOUT_MS: '', STATEMENT_TIMEOUT_MS: '' }

/**
 * Runs a command of the program without our environment, until it is ready or ends; `via` another program, or
 * with the `program` of a copy of the sources.
 */
export function run(
  command: Command,
  env: Env,
  { args = [] as string[], input = '', cwd = process.cwd(), via = [] as string[], program = ownProgram } = {},
) {
  return runProgram([...via, process.execPath, program, command, ...args], env, { input, cwd })
}

/** Runs any program without our environment, with the settings of a test, until it is ready or ends. */
export function runProgram(argv: string[], env: Env, { input = '', cwd = process.cwd() } = {}) {
  const startedAt = performance.now()
  const { PATH = '', HOME = '/' } = process.env
  const [first, ...rest] = argv as [string, ...string[]]
  const child = spawn(first, rest, {
    cwd,
    env: { PATH, HOME, PORT: '0', CEILING_FACTOR: '0', ...longTimeouts, ...env },
    // a separate session, so that a test can send Ctrl-C to it
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  groups.add(defined(child.pid))
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  let text = ''
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', piece => {
      text += piece
      for (const listener of listeners) listener()
    })
  }
  const exited = new Promise<Exit>(resolve => {
    child.once('exit', (code, signal) => {
      // the last output may still be in the pipe, which its orphans can keep open
      const finish = () => resolve({ code, signal, output: text, afterMs: performance.now() - startedAt })
      child.once('close', finish)
      setTimeout(finish, 500)
    })
  })

  async function waitForOutput(pattern: RegExp, from = 0): Promise<RegExpExecArray> {
    const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>()
    const look = () => {
      const found = pattern.exec(text.slice(from))
      if (found) resolve(found)
    }
    listeners.add(look)
    const late = setTimeout(() => reject(new Error(`never wrote ${pattern}:\n${text}`)), hangsMs)
    void exited.then(() => reject(new Error(`ended without writing ${pattern}:\n${text}`)))
    look()
    return promise.finally(() => {
      listeners.delete(look)
      clearTimeout(late)
    })
  }

  return {
    pid: defined(child.pid),
    output: () => text,
    lines: () => linesOf(text),
    waitForOutput,
    exited,
    async stop(signal: NodeJS.Signals = 'SIGTERM') {
      const signalledAt = performance.now()
      child.kill(signal)
      return { ...(await exited), afterMs: performance.now() - signalledAt }
    },
  }
}

/** Runs a command and waits until it is ready. */
export async function start(
  command: 'up' | 'api' | 'worker',
  env: Env,
  given: { cwd?: string; via?: string[]; program?: string } = {},
): Promise<Patio> {
  const started = run(command, env, given)
  const ready = {
    up: /^Patio is ready at (\S+)$/m,
    api: /"url":"([^"]+)","msg":"listening"/,
    worker: /"msg":"at work"/,
  }
  const [, url = ''] = await started.waitForOutput(ready[command])
  // the line of a child may follow that of the whole
  if (command === 'up')
    await Promise.all([started.waitForOutput(ready.api), started.waitForOutput(ready.worker)])
  return { ...started, url }
}

export function linesOf(text: string): LogLine[] {
  return text
    .split('\n')
    .filter(line => line.startsWith('{"level":'))
    .map(line => JSON.parse(line) as LogLine)
}

/** Ends everything that a failed test left behind: for afterAll. */
export function endAll(): void {
  for (const group of groups) {
    try {
      process.kill(-group, 'SIGKILL')
    } catch {
      // all of it has ended
    }
  }
  groups.clear()
}

/** The process ids of children by their log lines, the latest of each. */
export function childrenOf({ lines }: Pick<Patio, 'lines'>): { api: number; worker: number } {
  const pidOf = (name: string) => lines().findLast(line => line.name === name)?.pid ?? 0
  return { api: pidOf('api'), worker: pidOf('worker') }
}

/** The process id of the embedded PostgreSQL of a data folder. */
export function postmasterOf(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
}

/** True while the process runs; zombies do not count. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    if (process.platform !== 'linux') return true
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/**
 * Resolves when the condition holds, polling often. Fails with `what` after `withinMs`, a promise of the
 * product on an idle machine, which grows with the number of programs that share the machine. Without it, the
 * limit only names what never happened, before the test itself times out.
 */
export async function until(what: string, condition: () => unknown, withinMs?: number): Promise<number> {
  const startedAt = performance.now()
  while (!(await condition())) {
    const limitMs = withinMs === undefined ? hangsMs : withinMs * crowd()
    if (performance.now() - startedAt > limitMs) throw new Error(`not within ${limitMs} ms: ${what}`)
    await sleep(20)
  }
  return performance.now() - startedAt
}

const folders: string[] = []

/** A data folder, deleted by `removeFolders`. */
export function dataFolder(): string {
  const folder = mkdtempSync(join(databaseFolder(), 'patio-run-'))
  folders.push(folder)
  return folder
}

export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

/** A copy of a data folder after its first start, with demo people, because creating one takes seconds. */
export async function usedDataFolder(): Promise<string> {
  const model = await usedModel()
  const folder = dataFolder()
  cpSync(model, folder, { recursive: true, preserveTimestamps: true })
  return folder
}

/** The template for the whole run: the first user creates it, others wait. */
async function usedModel(): Promise<string> {
  // only known inside a worker
  const { inject } = await import('vitest')
  const [folder, mark] = ['data', 'made'].map(name => join(inject('modelFolder'), name)) as [string, string]
  if (isFirstToMake(folder)) {
    await (await start('up', { DATA_DIR: folder })).stop()
    writeFileSync(mark, '')
  }
  await until('the model is made', () => existsSync(mark))
  return folder
}

function isFirstToMake(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch {
    return false
  }
}

/** The processes that use a data folder, ours and PostgreSQL's, as far as the system tells (Linux). */
export function processesOn(dataDir: string): string[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc').flatMap(pid => {
    try {
      const isThere =
        readlinkSync(`/proc/${pid}/cwd`).startsWith(dataDir) ||
        readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`DATA_DIR=${dataDir}\0`)
      return isThere ? [`${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')}`] : []
    } catch {
      // not a process, or one that has just ended
      return []
    }
  })
}
