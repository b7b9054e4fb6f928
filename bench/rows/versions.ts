import { only } from '#tests/support/elements.ts'
import type { BenchEnvironment } from '../environment.ts'
import { tokensOf } from '../people.ts'
import type { Figure } from '../report.ts'
import { inTurns, ratios, rawLine } from '../rounds.ts'
import { spread } from '../statistics.ts'
import { assets, newAsset, sideOf } from './requests.ts'

const atOnce = 4
const long = 1_000
const short = 20

/** A page of a long history beside one of a short history, and the cost of a further version of each. */
export async function versions(environment: BenchEnvironment): Promise<Figure[]> {
  const organization = await environment.organization('busy', 10_000)
  const tokens = await tokensOf({ ...organization, people: [organization.owner] })
  const headers = {
    Authorization: `Bearer ${only(tokens)}`,
    'Content-Type': 'application/json',
  }
  const url = `http://127.0.0.1:${environment.api.port}`
  const post = async (path: string, body: string): Promise<{ id: string }> => {
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body })
    if (answer.status !== 201) throw new Error(await answer.text())
    return (await answer.json()) as { id: string }
  }
  const withHistory = async (length: number) => {
    const { id } = await post(assets, newAsset.replace('{name}', `A history of ${length}`))
    for (let n = 1; n < length; n++) {
      await post(`${assets}/${id}/versions`, JSON.stringify({ bodyMarkdown: `version ${n}` }))
    }
    return id
  }
  const ids = [await withHistory(long), await withHistory(short)]
  await environment.sql.query('vacuum analyze asset_version')
  return [
    await beside(environment, 'versions', tokens, ids, id => `${assets}/${id}/versions?limit=20`),
    await beside(environment, 'versions-latest', tokens, ids, id => `${assets}/${id}/versions/latest`),
  ]
}

async function beside(
  environment: BenchEnvironment,
  name: string,
  tokens: string[],
  ids: readonly string[],
  pathOf: (id: string) => string,
): Promise<Figure> {
  const sides = ids.map(id =>
    sideOf(
      environment,
      name,
      environment.api,
      { method: 'GET', path: pathOf(id), tokens, status: 200 },
      0,
      atOnce,
    ),
  )
  const [theirs = [], others = []] = await inTurns(environment, sides)
  const raw = [rawLine('a long history', theirs), rawLine('a short one', others)]
  return { name, value: spread(ratios(theirs, others, round => round.meanMs)), raw }
}
