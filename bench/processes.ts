import { type ChildProcess, fork, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { youngGenerationFlags } from '#server/supervised-process.ts'
import { defined } from '#tests/support/elements.ts'

/** A Node process of the run, with requests and replies over its message channel. */
export type Child = {
  readonly pid: number
  /** The first message of the process: the product sends its URL with it. */
  readonly ready: Promise<{ address?: string }>
  ask<Answer>(name: string, input?: unknown): Promise<Answer>
  /** SIGTERM, and SIGKILL after ten seconds. */
  stop(): Promise<void>
}

type Ending = () => Promise<void> | void
const endings: Ending[] = []
const running = new Set<ChildProcess>()
const stopMs = 10_000
const tmpfs = 0x01021994
let ending: Promise<void> | undefined

/** Registers a cleanup for the end of the run, last in first out; the returned function runs it now. */
export function atEnd(undo: Ending): () => Promise<void> {
  endings.push(undo)
  return async () => {
    const place = endings.indexOf(undo)
    if (place === -1) return
    endings.splice(place, 1)
    await undo()
  }
}

/** Runs all cleanups, however the run ends: also on Ctrl-C; children end even if this process crashes. */
export function endAll(): Promise<void> {
  ending ??= undoAll()
  return ending
}

/** True once the run is ending, so that failures can be ignored. */
export function isEnding(): boolean {
  return ending !== undefined
}

async function undoAll(): Promise<void> {
  for (let undo = endings.pop(); undo; undo = endings.pop()) {
    await Promise.resolve(undo()).catch(error => process.stderr.write(`${error}\n`))
  }
}

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const) {
  process.on(signal, () => {
    void endAll().then(() => process.exit(code))
  })
}
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** An empty folder on a disk, deleted when the run ends. */
export function temporaryFolder(): string {
  // fsync into memory costs nothing, which would falsify the figures
  const parent = [tmpdir(), '/var/tmp', process.cwd()].find(isOnDisk) ?? tmpdir()
  const folder = mkdtempSync(join(parent, 'patio-bench-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

function isOnDisk(folder: string): boolean {
  try {
    return statfsSync(folder).type !== tmpfs
  } catch {
    return false
  }
}

/** Starts another program. It ends with the run, also if this process is killed, because its input closes. */
export function startProgram(path: string, args: string[]): { stop(): Promise<void> } {
  const held = '"$@" & read -r _; kill $!; wait $!'
  const child = spawn('/bin/sh', ['-c', held, 'patio-bench', path, ...args], {
    // Ctrl-C is handled here, and ends the program in its turn
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  const gone = new Promise<void>(resolve => child.on('exit', () => resolve()))
  const stop = atEnd(async () => {
    child.stdin.end()
    await gone
  })
  return { stop }
}

function keep(child: ChildProcess): { gone: Promise<string>; stop(): Promise<void> } {
  running.add(child)
  const gone = new Promise<string>(resolve => {
    child.on('error', error => resolve(error.message))
    child.on('exit', (code, signal) => resolve(signal ?? `code ${code}`))
  }).finally(() => running.delete(child))
  const stop = atEnd(async () => {
    if (!running.has(child)) return
    child.kill('SIGTERM')
    const force = setTimeout(() => child.kill('SIGKILL'), stopMs)
    await gone
    clearTimeout(force)
  })
  return { gone, stop }
}

/**
 * Starts a Node process. It ends with the run, also if this process is killed, because its channel closes.
 */
export function start(
  file: string,
  args: string[],
  env: Record<string, string>,
  says: 'warnings' | 'nothing' = 'warnings',
): Child {
  const path = join(import.meta.dirname, '..', file)
  const child = fork(path, args, {
    // as the supervisor starts them
    execArgv:
      file === 'server/main.mjs' ? [...youngGenerationFlags[args[0] === 'worker' ? 'worker' : 'api']] : [],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', says === 'warnings' ? process.stderr.fd : 'ignore', 'inherit', 'ipc'],
  })
  const { gone, stop } = keep(child)
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  const first = Promise.withResolvers<{ address?: string }>()
  first.promise.catch(() => {})
  let last = 0

  child.on('message', (message: { id?: number; answer?: unknown; error?: string; address?: string }) => {
    if (message.id === undefined) return first.resolve(message)
    const one = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.error === undefined) one?.resolve(message.answer)
    else one?.reject(new Error(`${file} ${args.join(' ')}: ${message.error}`))
  })
  gone.then(how => {
    const error = new Error(`${file} ${args.join(' ')} ended with ${how}`)
    first.reject(error)
    for (const one of waiting.values()) one.reject(error)
  })

  return {
    pid: defined(child.pid),
    ready: first.promise,
    stop,
    ask: <Answer>(name: string, input: unknown = null) =>
      new Promise<Answer>((resolve, reject) => {
        const id = ++last
        waiting.set(id, { resolve: resolve as (value: unknown) => void, reject })
        child.send({ id, name, input }, error => error && reject(error))
      }),
  }
}
