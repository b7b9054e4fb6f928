import { tokensOf } from '../people.ts'
import type { Kind } from '../record.ts'
import type { Figure } from '../report.ts'
import { inTurns, ratios, rawLine } from '../rounds.ts'
import { type Filled, type Stage, smallSize } from '../stage.ts'
import { spread } from '../statistics.ts'
import { sideOf } from './requests.ts'

/** Few at once: what counts is the time of one request, not how many fit side by side. */
const atOnce = 4

/** A page of a small and of a large catalogue, each from the product and from the bare program. */
export async function list(stage: Stage): Promise<Figure[]> {
  return compareSizes(stage, 'list', '/api/studio/assets?limit=20')
}

export async function search(stage: Stage): Promise<Figure[]> {
  const words = { rare: 'zoodle', common: 'facturas', typo: 'fcaturas' }
  const figures: Figure[] = []
  for (const [word, text] of Object.entries(words)) {
    figures.push(
      ...(await compareSizes(stage, `search-${word}`, `/api/studio/assets?search=${text}&limit=20`)),
    )
  }
  return figures
}

async function compareSizes(stage: Stage, name: string, path: string): Promise<Figure[]> {
  const small = await stage.organization('small', smallSize)
  const large = await stage.organization('large', stage.size.large)
  const kindOf = async (organization: Filled): Promise<Kind> => ({
    ...{ name, method: 'GET', path, status: 200 },
    tokens: await tokensOf(organization),
  })
  const kinds = [await kindOf(small), await kindOf(large)] as const
  const [ofSmall, ofLarge] = await stage.record([...kinds])
  // the bare program knows one catalogue at a time: both have the same address
  const sides = kinds.flatMap((kind, at) => {
    const size = at === 0 ? '1,000' : stage.size.large.toLocaleString('en')
    const product = sideOf(stage, `product, ${size} assets`, stage.api.port, kind, 0, atOnce)
    return [
      product,
      {
        name: `bare, ${size} assets`,
        async run(seconds: number) {
          const { port } = await stage.bare([at === 0 ? ofSmall! : ofLarge!])
          return sideOf(stage, '', port, kind, 0, atOnce).run(seconds)
        },
      },
    ]
  })
  const results = await inTurns(stage, sides)
  const [smallOurs = [], , largeOurs = [], largeTheirs = []] = results
  const raw = results.map((rounds, at) => rawLine(sides[at]!.name, rounds))
  return [
    { name, value: spread(ratios(largeOurs, smallOurs, one => one.meanMs)), raw },
    { name: `${name}-bare`, value: spread(ratios(largeOurs, largeTheirs, one => one.perSecond)), raw: [] },
  ]
}
