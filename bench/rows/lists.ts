import { tokensOf } from '../people.ts'
import type { Kind } from '../record.ts'
import type { Figure } from '../report.ts'
import { inTurns, type Round, ratios, rawLine, type Side } from '../rounds.ts'
import { type Filled, type Stage, smallSize } from '../stage.ts'
import { spread } from '../statistics.ts'
import { assets, newAsset, sideOf } from './requests.ts'

/** Few at once: what counts is the time of one request, not how many fit side by side. */
const atOnce = 4

/** A page of a small and of a large catalogue, each from the product and from the bare program. */
export async function list(stage: Stage): Promise<Figure[]> {
  const { large, ...figure } = await compareSizes(stage, 'list', `${assets}?limit=20`)
  const beside = spread(ratios(...large, one => one.perSecond))
  return [figure, { name: 'list-bare', value: beside, raw: [] }]
}

/** What is searched for: a word of three assets, a word of many, and the same with a slip. */
export const words = { rare: 'quokka', common: 'facturas', typo: 'fcaturas' } as const

/** Makes three assets with the rare word. */
export async function plantRareWord(stage: Stage, organization: Filled): Promise<void> {
  const body = newAsset.replace('{name}', `{name} ${words.rare}`)
  const asked = {
    method: 'POST',
    path: assets,
    body,
    tokens: await tokensOf(organization),
    status: 201,
  } as const
  await stage.load({ ...asked, port: stage.api.port, concurrency: 1, seconds: 60, from: 0, most: 3 })
}

export async function search(stage: Stage): Promise<Figure[]> {
  for (const organization of [await small(stage), await large(stage)])
    await plantRareWord(stage, organization)
  const figures: Figure[] = []
  for (const [word, text] of Object.entries(words)) {
    const path = `${assets}?search=${text}&limit=20`
    const { large: _, ...figure } = await compareSizes(stage, `search-${word}`, path)
    figures.push(figure)
  }
  return figures
}

const small = (stage: Stage) => stage.organization('small', smallSize)
export const large = (stage: Stage) => stage.organization('large', stage.size.large)

type Compared = Figure & { large: [ours: Round[], theirs: Round[]] }

async function compareSizes(stage: Stage, name: string, path: string): Promise<Compared> {
  const kindOf = async (organization: Filled): Promise<Kind> => ({
    name,
    method: 'GET',
    path,
    status: 200,
    tokens: await tokensOf(organization),
  })
  const catalogues = [
    { kind: await kindOf(await small(stage)), size: '1,000 assets' },
    { kind: await kindOf(await large(stage)), size: `${stage.size.large.toLocaleString('en')} assets` },
  ]
  const recordings = await stage.record(catalogues.map(({ kind }) => kind))
  const sides: Side[] = []
  for (const [at, { kind, size }] of catalogues.entries()) {
    // both catalogues have the same address, so each has a bare program of its own
    const bare = await stage.bare([recordings[at]!], size)
    sides.push(sideOf(stage, `product, ${size}`, stage.api, kind, 0, atOnce))
    sides.push(sideOf(stage, `bare, ${size}`, bare, kind, 0, atOnce))
  }
  const results = await inTurns(stage, sides)
  const [smallOurs = [], , largeOurs = [], largeTheirs = []] = results
  const raw = results.map((rounds, at) => rawLine(sides[at]!.name, rounds))
  return {
    name,
    value: spread(ratios(largeOurs, smallOurs, one => one.meanMs)),
    raw,
    large: [largeOurs, largeTheirs],
  }
}
