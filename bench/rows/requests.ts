import { firstOf } from '#tests/support/elements.ts'
import { type BenchEnvironment, concurrency, type FilledDatabase } from '../environment.ts'
import { tokensOf } from '../people.ts'
import type { RecordKind } from '../record.ts'
import type { Recording } from '../recording.ts'
import type { Figure } from '../report.ts'
import type { CliOptions } from '../request-template.ts'
import { type ComparedSide, inTurns, ratios, rawLine } from '../rounds.ts'
import { spread } from '../statistics.ts'

export const assets = '/api/studio/assets'
const recorded = 16

export const newAsset = JSON.stringify({
  type: 'PROMPT',
  name: '{name}',
  description: 'Answers a customer who asks about an open invoice, politely and in their own language.',
  bodyMarkdown:
    'You answer for our accounts department. Say what is due, since when, and how to pay.\n'.repeat(12),
  visibility: 'ORGANIZATION',
  tags: ['invoice', 'customer', 'answer'],
})

/** A reaction that replaces the previous one, which is the most expensive reaction. */
export async function thumbs(environment: BenchEnvironment): Promise<Figure[]> {
  const { tokens, assetIds: ids } = await busy(environment)
  const kind = { name: 'thumbs', method: 'POST', status: 201, tokens } as const
  const down = { ...kind, path: `${assets}/{id}/thumbs-down`, ids }
  // everything starts as disliked
  await environment.load({
    ...down,
    port: environment.api.port,
    concurrency,
    from: 0,
    seconds: 600,
    most: ids.length,
  })
  const path = `${assets}/{id}/{lap}`
  return [await compare(environment, 'thumbs', { ...kind, path, ids, laps: ['thumbs-up', 'thumbs-down'] })]
}

type Changes = {
  /** Replacements for recorded parameters in the bare program. */
  asRecorded(recording: Recording): Recording
  asSide(side: ComparedSide): ComparedSide
}
const unchanged: Changes = { asRecorded: recording => recording, asSide: side => side }

/** Requests per second of the product over those of the bare program, for one kind of request. */
export async function compare(
  environment: BenchEnvironment,
  figure: string,
  { ids, ...kind }: RecordKind,
  { asRecorded, asSide }: Changes = unchanged,
): Promise<Figure> {
  // each side has its own objects, so that neither finds the other's changes
  const half = ids ? Math.floor((ids.length - recorded) / 2 / recorded) * recorded : 0
  const own = (from: number) => half > 0 && { ids: ids?.slice(from, from + half) ?? [] }
  // each lap is recorded after the one before it, in the order of the load
  const lapped = (kind.laps ?? ['']).map(lap => ({ ...kind, path: kind.path.replace('{lap}', lap) }))
  const recordings = await environment.record(
    lapped.map(one => ({ ...one, ...(ids && { ids: ids.slice(-recorded) }) })),
  )
  const bare = await environment.bare(recordings.map(asRecorded))
  const product = sideOf(environment, 'product', environment.api, { ...kind, ...own(0) }, 0)
  const limit = sideOf(environment, 'bare', bare, { ...kind, ...own(half) }, 40_000_000)
  const [ours = [], theirs = []] = await inTurns(environment, [product, limit].map(asSide))
  return {
    name: figure,
    value: spread(ratios(ours, theirs, one => one.perSecond)),
    raw: [rawLine('product', ours), rawLine('bare', theirs)],
  }
}

export function sideOf(
  environment: BenchEnvironment,
  name: string,
  { pid, port }: { pid: number; port: number },
  request: CliOptions,
  from: number,
  atOnce = concurrency,
): ComparedSide {
  let next = from
  return {
    name,
    pid,
    async run(seconds) {
      const loaded = await environment.load({ ...request, port, seconds, concurrency: atOnce, from: next })
      next = loaded.next
      return loaded
    },
  }
}

async function busy(environment: BenchEnvironment): Promise<FilledDatabase & { tokens: string[] }> {
  const organization = await environment.organization('busy', 10_000)
  return { ...organization, tokens: await tokensOf(organization) }
}

export async function read(environment: BenchEnvironment): Promise<Figure[]> {
  const { tokens, assetIds } = await busy(environment)
  return [
    await compare(environment, 'read', {
      name: 'read',
      method: 'GET',
      path: `${assets}/{id}`,
      status: 200,
      tokens,
      ids: assetIds,
    }),
  ]
}

export async function create(environment: BenchEnvironment): Promise<Figure[]> {
  const { tokens } = await busy(environment)
  return [
    await compare(environment, 'create', {
      name: 'create',
      method: 'POST',
      path: assets,
      body: newAsset,
      status: 201,
      tokens,
    }),
  ]
}

export async function use(environment: BenchEnvironment): Promise<Figure[]> {
  const { tokens, assetIds } = await busy(environment)
  const kind = { name: 'use', method: 'POST', path: `${assets}/{id}/use`, status: 201, tokens } as const
  const hot = Array<string>(3 * recorded).fill(firstOf(assetIds))
  return [
    await compare(environment, 'use', { ...kind, ids: assetIds }),
    await compare(environment, 'use-hot', { ...kind, ids: hot }),
  ]
}
