import pg from 'pg'
import { migrate } from '#platform/data/migrate.ts'
import { itemAt } from '#tests/support/elements.ts'
import { type BenchEnvironment, smallSize } from '../environment.ts'
import { rareWord, seedMarket } from '../market.ts'
import { makeOrganization, tokensOf } from '../people.ts'
import { atEnd, start } from '../processes.ts'
import type { Figure } from '../report.ts'
import { inTurns, ratios, rawLine } from '../rounds.ts'
import { spread } from '../statistics.ts'
import { sideOf } from './requests.ts'

const atOnce = 4
const entries = '/api/studio/marketplace/entries'
const large = 100_000

/** Requests to the catalogue of the marketplace. */
const queries = {
  'market-recent': '?limit=20',
  'market-popular': '?limit=20&sort=POPULAR',
  'market-category': '?limit=20&category=FINANCE',
  'market-type': '?limit=20&type=SKILL&sort=TOP_RATED',
  'market-search-rare': `?limit=20&search=${rareWord}`,
  'market-search-common': '?limit=20&search=facturas',
} as const

type Market = { size: number; pid: number; port: number; tokens: string[] }

/**
 * A page of the marketplace with many entries beside one with few: the catalogue is shared, so each has its
 * own database.
 */
export async function market(environment: BenchEnvironment): Promise<Figure[]> {
  const sizes = [smallSize, Math.min(large, environment.size.large)]
  const markets: Market[] = []
  for (const size of sizes) markets.push(await openMarket(environment, size))
  const figures: Figure[] = []
  for (const [name, query] of Object.entries(queries)) {
    const sides = markets.map(({ size, tokens, ...api }) => {
      const one = { method: 'GET', path: `${entries}${query}`, tokens, status: 200 } as const
      return sideOf(environment, `${size.toLocaleString('en')} entries`, api, one, 0, atOnce)
    })
    const results = await inTurns(environment, sides)
    const [few = [], many = []] = results
    const raw = results.map((rounds, at) => rawLine(itemAt(sides, at).name, rounds))
    figures.push({ name, value: spread(ratios(many, few, one => one.meanMs)), raw })
  }
  return figures
}

/** A database with a catalogue of that size, a process that serves it, and people who read it. */
async function openMarket(environment: BenchEnvironment, size: number): Promise<Market> {
  const name = `market_${size}`
  await environment.sql.query(`create database ${name}`)
  const url = new URL(environment.env.DATABASE_URL)
  url.pathname = `/${name}`
  await migrate(url.href)
  const sql = new pg.Pool({ connectionString: url.href, max: 2 })
  sql.on('error', () => {})
  atEnd(() => sql.end())
  const visitors = await makeOrganization(sql, 'Visitors', 16)
  await sql.query(`update organization set features = '{marketplace}' where id = $1`, [visitors.id])
  await seedMarket(sql, size)
  const api = start('server/main.mjs', ['api'], { ...environment.env, DATABASE_URL: url.href })
  const { address = '' } = await api.ready
  return { size, pid: api.pid, port: Number(new URL(address).port), tokens: await tokensOf(visitors) }
}
