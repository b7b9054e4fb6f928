import { setTimeout as sleep } from 'node:timers/promises'
import { createAsset, listAssets } from '#contract/studio/assets.ts'
import { CallError, type Client } from '#sdk/client.ts'

const kinds = ['healthz', 'readyz', 'read', 'write'] as const
type Kind = (typeof kinds)[number]
/** One request. `status` is 0 if the connection broke or nothing came back in time. */
type Sample = { kind: Kind; atMs: number; ms: number; status: number; errorCode: string | undefined }

/** Asks a server the same four questions all the time, as a load balancer and a person do. */
export type Watch = {
  /** Everything from here on belongs to a phase with this name. */
  begin(phase: string): void
  /** The different statuses of a phase. */
  statuses(phase: string, kind: Kind): number[]
  /** The requests of a phase that did not succeed. */
  failures(phase: string, kind: Kind): Sample[]
  /** The milliseconds from the start of a phase to the first success after its last failure. */
  returnedAfterMs(phase: string, kind: Kind): number
  /** One line for each phase and kind: how many of which status, and the slowest. */
  report(): string
  stop(): Promise<void>
}

const pauseMs = 200
const giveUpMs = 30_000

/** Starts to ask; `client` is a person who may create assets, and asks without retries. */
export function openWatch(url: string, client: Client): Watch {
  const phases: { name: string; startedAt: number; samples: Sample[] }[] = []
  let isStopping = false

  async function ask(kind: Kind): Promise<{ status: number; errorCode?: string | undefined }> {
    if (kind === 'healthz' || kind === 'readyz') {
      const { status } = await fetch(`${url}/${kind}`, { signal: AbortSignal.timeout(giveUpMs) })
      return { status }
    }
    const { status, body } =
      kind === 'read'
        ? await client.send(listAssets)
        : await client.send(createAsset, { body: { type: 'PROMPT', name: 'Watched' } })
    return { status, errorCode: (body as { errorCode?: string } | undefined)?.errorCode }
  }

  async function keepAsking(kind: Kind): Promise<void> {
    while (!isStopping) {
      const phase = phases.at(-1)
      const startedAt = performance.now()
      const { status, errorCode } = await ask(kind).catch(error => ({
        status: error instanceof CallError ? error.status : 0,
        errorCode: undefined,
      }))
      const atMs = startedAt - (phase?.startedAt ?? 0)
      phase?.samples.push({ kind, atMs, ms: performance.now() - startedAt, status, errorCode })
      await sleep(pauseMs)
    }
  }
  const asking = kinds.map(keepAsking)
  const samplesOf = (name: string, kind: Kind) =>
    phases.find(phase => phase.name === name)?.samples.filter(sample => sample.kind === kind) ?? []

  return {
    begin: name => void phases.push({ name, startedAt: performance.now(), samples: [] }),
    statuses: (phase, kind) => [...new Set(samplesOf(phase, kind).map(({ status }) => status))],
    failures: (phase, kind) => samplesOf(phase, kind).filter(isFailure),
    returnedAfterMs(phase, kind) {
      const samples = samplesOf(phase, kind)
      const lastFailure = samples.findLastIndex(isFailure)
      const success = samples[lastFailure + 1]
      if (!success) throw new Error(`${kind} did not return in the phase ${phase}`)
      return Math.round(success.atMs + success.ms)
    },
    report: () =>
      phases
        .flatMap(({ name, samples }) => kinds.map(kind => `${name}, ${kind}: ${summary(samples, kind)}`))
        .join('\n'),
    async stop() {
      isStopping = true
      await Promise.all(asking)
    },
  }
}

function isFailure({ status }: Sample): boolean {
  return status === 0 || status >= 500
}

function summary(samples: readonly Sample[], kind: Kind): string {
  const own = samples.filter(sample => sample.kind === kind)
  const counts = Map.groupBy(own, ({ status, errorCode = '' }) => `${status} ${errorCode}`.trim())
  const lastFailure = own.findLast(isFailure)
  const last = lastFailure
    ? `, the last failure after ${Math.round(lastFailure.atMs + lastFailure.ms)} ms`
    : ''
  const slowest = Math.max(0, ...own.map(({ ms }) => ms))
  return `${[...counts].map(([of, all]) => `${all.length} × ${of}`).join(', ')}; slowest ${Math.round(slowest)} ms${last}`
}
