import { type BenchEnvironment, type FilledDatabase, smallSize } from '../environment.ts'
import { tokensOf } from '../people.ts'
import type { RecordKind } from '../record.ts'
import type { Figure } from '../report.ts'
import { type ComparedSide, inTurns, type Round, ratios, rawLine } from '../rounds.ts'
import { spread } from '../statistics.ts'
import { assets, newAsset, sideOf } from './requests.ts'

/** Few at once: the time of one request matters, not the throughput. */
const atOnce = 4

/** A page of a small and of a large catalogue, each from the product and from the bare program. */
export async function list(environment: BenchEnvironment): Promise<Figure[]> {
  const { large, ...figure } = await compareSizes(environment, 'list', `${assets}?limit=20`)
  const beside = spread(ratios(...large, one => one.perSecond))
  return [figure, { name: 'list-bare', value: beside, raw: [] }]
}

/** The searches: a word of three assets, a common word, and the same with a typo. */
export const words = { rare: 'quokka', common: 'facturas', typo: 'fcaturas' } as const

/** Creates three assets with the rare word. */
export async function plantRareWord(
  environment: BenchEnvironment,
  organization: FilledDatabase,
): Promise<void> {
  const body = newAsset.replace('{name}', `{name} ${words.rare}`)
  const request = {
    method: 'POST',
    path: assets,
    body,
    tokens: await tokensOf(organization),
    status: 201,
  } as const
  await environment.load({
    ...request,
    port: environment.api.port,
    concurrency: 1,
    seconds: 60,
    from: 0,
    most: 3,
  })
}

export async function search(environment: BenchEnvironment): Promise<Figure[]> {
  for (const organization of [await small(environment), await large(environment)])
    await plantRareWord(environment, organization)
  const figures: Figure[] = []
  for (const [word, text] of Object.entries(words)) {
    const path = `${assets}?search=${text}&limit=20`
    const { large: _, ...figure } = await compareSizes(environment, `search-${word}`, path)
    figures.push(figure)
  }
  return figures
}

const small = (environment: BenchEnvironment) => environment.organization('small', smallSize)
export const large = (environment: BenchEnvironment) =>
  environment.organization('large', environment.size.large)

type Compared = Figure & { large: [ours: Round[], theirs: Round[]] }

async function compareSizes(environment: BenchEnvironment, name: string, path: string): Promise<Compared> {
  const kindOf = async (organization: FilledDatabase): Promise<RecordKind> => ({
    name,
    method: 'GET',
    path,
    status: 200,
    tokens: await tokensOf(organization),
  })
  const catalogues = [
    { kind: await kindOf(await small(environment)), size: '1,000 assets' },
    {
      kind: await kindOf(await large(environment)),
      size: `${environment.size.large.toLocaleString('en')} assets`,
    },
  ]
  const recordings = await environment.record(catalogues.map(({ kind }) => kind))
  const sides: ComparedSide[] = []
  for (const [at, { kind, size }] of catalogues.entries()) {
    // both catalogues have the same URL, so each has its own bare program
    const bare = await environment.bare([recordings[at]!], size)
    sides.push(sideOf(environment, `product, ${size}`, environment.api, kind, 0, atOnce))
    sides.push(sideOf(environment, `bare, ${size}`, bare, kind, 0, atOnce))
  }
  const results = await inTurns(environment, sides)
  const [smallOurs = [], , largeOurs = [], largeTheirs = []] = results
  const raw = results.map((rounds, at) => rawLine(sides[at]!.name, rounds))
  return {
    name,
    value: spread(ratios(largeOurs, smallOurs, one => one.meanMs)),
    raw,
    large: [largeOurs, largeTheirs],
  }
}
