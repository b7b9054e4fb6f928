import { itemAt } from '#tests/support/elements.ts'
import type { BenchEnvironment, FilledDatabase } from '../environment.ts'
import { tokensOf } from '../people.ts'
import type { Figure } from '../report.ts'
import { type ComparedSide, inTurns, ratios, rawLine } from '../rounds.ts'
import { spread } from '../statistics.ts'
import { leadPagePath, makeLeads } from './leads.ts'
import { assets, newAsset, sideOf } from './requests.ts'

/** The assets of an ordinary organization, and the leads of the one beside it. */
const ordinarySize = 1_500

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

export const large = (environment: BenchEnvironment) =>
  environment.organization('large', environment.size.large)

/**
 * A page of an ordinary and of a large catalogue, and searches of them, each beside a page of leads. The requests come one
 * after another: the time of one matters, not the throughput.
 */
export async function catalogue(environment: BenchEnvironment): Promise<Figure[]> {
  const { tokens } = await makeLeads(environment, ordinarySize, true)
  const sideFor = (name: string, path: string, of: string[]) =>
    sideOf(environment, name, environment.api, { method: 'GET', path, tokens: of, status: 200 }, 0, 1)
  const sides: ComparedSide[] = [sideFor('a page of leads', leadPagePath, tokens)]
  const catalogues = {
    ordinary: await environment.organization('ordinary', ordinarySize),
    large: await large(environment),
  }
  for (const [size, organization] of Object.entries(catalogues)) {
    await plantRareWord(environment, organization)
    const people = await tokensOf(organization)
    sides.push(sideFor(`list-${size}`, `${assets}?limit=20`, people))
    for (const [word, text] of Object.entries(words))
      sides.push(sideFor(`search-${word}-${size}`, `${assets}?search=${text}&limit=20`, people))
  }
  const [leads = [], ...results] = await inTurns(environment, sides)
  return results.map((rounds, at) => {
    const { name } = itemAt(sides, at + 1)
    return {
      name,
      value: spread(ratios(rounds, leads, one => one.meanMs)),
      raw: [rawLine(name, rounds), rawLine('a page of leads', leads)],
    }
  })
}
