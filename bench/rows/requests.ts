import type { Asked } from '../asked.ts'
import { tokensOf } from '../people.ts'
import type { Kind } from '../record.ts'
import type { Recording } from '../recording.ts'
import type { Figure } from '../report.ts'
import { inTurns, ratios, rawLine, type Side } from '../rounds.ts'
import { concurrency, type Filled, type Stage } from '../stage.ts'
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

/** A reaction that turns the earlier one round, which is the most that one can do. */
export async function thumbs(stage: Stage): Promise<Figure[]> {
  const { tokens, assetIds: ids } = await busy(stage)
  const kind = { name: 'thumbs', method: 'POST', status: 201, tokens } as const
  const down = { ...kind, path: `${assets}/{id}/thumbs-down`, ids }
  // everything begins as disliked
  await stage.load({ ...down, port: stage.api.port, concurrency, from: 0, seconds: 600, most: ids.length })
  const path = `${assets}/{id}/{lap}`
  return [await compare(stage, 'thumbs', { ...kind, path, ids, laps: ['thumbs-up', 'thumbs-down'] })]
}

type Changes = {
  /** What the bare program does instead of what was recorded. */
  asRecorded(recording: Recording): Recording
  asSide(side: Side): Side
}
const unchanged: Changes = { asRecorded: recording => recording, asSide: side => side }

/** Requests per second of the product over those of the bare program, for one kind of request. */
export async function compare(
  stage: Stage,
  figure: string,
  { ids, ...kind }: Kind,
  { asRecorded, asSide }: Changes = unchanged,
): Promise<Figure> {
  // each side has things of its own, so that neither finds what the other has just done
  const half = ids && Math.floor((ids.length - recorded) / 2 / recorded) * recorded
  const own = (from?: number) => half && { ids: ids.slice(from, from! + half) }
  // each lap is recorded after the one before it, as the load goes
  const lapped = (kind.laps ?? ['']).map(lap => ({ ...kind, path: kind.path.replace('{lap}', lap) }))
  const recordings = await stage.record(
    lapped.map(one => ({ ...one, ...(ids && { ids: ids.slice(-recorded) }) })),
  )
  const bare = await stage.bare(recordings.map(asRecorded))
  const product = sideOf(stage, 'product', stage.api, { ...kind, ...own(0) }, 0)
  const limit = sideOf(stage, 'bare', bare, { ...kind, ...own(half) }, 40_000_000)
  const [ours = [], theirs = []] = await inTurns(stage, [product, limit].map(asSide))
  return {
    name: figure,
    value: spread(ratios(ours, theirs, one => one.perSecond)),
    raw: [rawLine('product', ours), rawLine('bare', theirs)],
  }
}

export function sideOf(
  stage: Stage,
  name: string,
  { pid, port }: { pid: number; port: number },
  asked: Asked,
  from: number,
  atOnce = concurrency,
): Side {
  let next = from
  return {
    name,
    pid,
    async run(seconds) {
      const loaded = await stage.load({ ...asked, port, seconds, concurrency: atOnce, from: next })
      next = loaded.next
      return loaded
    },
  }
}

async function busy(stage: Stage): Promise<Filled & { tokens: string[] }> {
  const organization = await stage.organization('busy', 10_000)
  return { ...organization, tokens: await tokensOf(organization) }
}

export async function read(stage: Stage): Promise<Figure[]> {
  const { tokens, assetIds } = await busy(stage)
  return [
    await compare(stage, 'read', {
      name: 'read',
      method: 'GET',
      path: `${assets}/{id}`,
      status: 200,
      tokens,
      ids: assetIds,
    }),
  ]
}

export async function create(stage: Stage): Promise<Figure[]> {
  const { tokens } = await busy(stage)
  return [
    await compare(stage, 'create', {
      name: 'create',
      method: 'POST',
      path: assets,
      body: newAsset,
      status: 201,
      tokens,
    }),
  ]
}

export async function use(stage: Stage): Promise<Figure[]> {
  const { tokens, assetIds } = await busy(stage)
  const kind = { name: 'use', method: 'POST', path: `${assets}/{id}/use`, status: 201, tokens } as const
  const hot = Array<string>(3 * recorded).fill(assetIds[0]!)
  return [
    await compare(stage, 'use', { ...kind, ids: assetIds }),
    await compare(stage, 'use-hot', { ...kind, ids: hot }),
  ]
}
