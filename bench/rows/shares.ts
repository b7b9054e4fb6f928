import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { openDatabase } from '#platform/data/database.ts'
import { newId } from '#platform/ids.ts'
import type { Grantee } from '#server/studio/shares/share.rules.ts'
import { inTurn } from '#tests/support/elements.ts'
import type { BenchEnvironment, FilledDatabase } from '../environment.ts'
import { type BenchPerson, tokensOf } from '../people.ts'
import type { Figure } from '../report.ts'
import { inTurns, type Round, ratios, rawLine } from '../rounds.ts'
import { seedShares } from '../shares.ts'
import { spread } from '../statistics.ts'
import { large, plantRareWord, words } from './lists.ts'
import { assets, sideOf } from './requests.ts'

const atOnce = 4

/** A page for people with many rights, beside that of a colleague with few. */
export async function shares(environment: BenchEnvironment): Promise<Figure[]> {
  const { laden, crowded, plain } = await company(environment)
  const figures: Figure[] = []
  for (const [name, person] of Object.entries({ shares: laden, 'shares-crowded': crowded })) {
    const path = `${assets}?limit=20`
    figures.push(await beside(environment, name, path, person, plain, round => round.meanMs))
  }
  return figures
}

/** Searches of a person with many rights, beside those of the owner, who may read everything. */
export async function searchAccess(environment: BenchEnvironment): Promise<Figure[]> {
  const { organization, owner, laden } = await company(environment)
  await plantRareWord(environment, organization)
  const figures: Figure[] = []
  for (const [word, text] of Object.entries(words)) {
    const path = `${assets}?search=${text}&limit=20`
    figures.push(await beside(environment, `search-access-${word}`, path, laden, owner, round => round.p95Ms))
  }
  return figures
}

/** The time of a request for one person, over that for another. */
async function beside(
  environment: BenchEnvironment,
  name: string,
  path: string,
  person: BenchPerson,
  other: BenchPerson,
  of: (round: Round) => number,
): Promise<Figure> {
  const { organization } = await company(environment)
  const sides = [person, other].map(async one => {
    const tokens = await tokensOf({ ...organization, people: [one] })
    return sideOf(environment, name, environment.api, { method: 'GET', path, tokens, status: 200 }, 0, atOnce)
  })
  const [theirs = [], others = []] = await inTurns(environment, await Promise.all(sides))
  const raw = [rawLine('with many rights', theirs), rawLine('beside', others)]
  return { name, value: spread(ratios(theirs, others, of)), raw }
}

type Company = {
  organization: FilledDatabase
  owner: BenchPerson
  /** One department, no share. */
  plain: BenchPerson
  /** Every department, and a share of each of 10,000 assets: direct, for a fifth through a department. */
  laden: BenchPerson
  /** One department, and two groups that both have a share of each of 10,000 assets. */
  crowded: BenchPerson
}
const companies = new WeakMap<BenchEnvironment, Promise<Company>>()

/** The large organization, in which some people have many rights. */
function company(environment: BenchEnvironment): Promise<Company> {
  const made = companies.get(environment) ?? makeCompany(environment)
  companies.set(environment, made)
  return made
}

async function makeCompany(environment: BenchEnvironment): Promise<Company> {
  const organization = await large(environment)
  const [owner, plain, laden, crowded] = organization.people as [
    BenchPerson,
    BenchPerson,
    BenchPerson,
    BenchPerson,
  ]
  const groups = [newId(), newId()]
  const departments = await joinUnits(environment.sql, organization.id, { laden, crowded }, groups)

  const count = Math.min(10_000, environment.size.large / 20)
  const { rows } = await environment.sql.query<{ id: string }>(
    `select a.id from asset a where a.organization_id = $1 and a.visibility in ('PRIVATE', 'WORKSPACE')
       and a.author_id <> all($2) order by md5(a.id) limit $3`,
    [organization.id, [laden.id, crowded.id], 2 * count],
  )
  const toLaden = (at: number): Grantee =>
    at % 5 === 0 ? { type: 'DEPARTMENT', id: inTurn(departments, at) } : { type: 'USER', id: laden.id }
  const toGroups = groups.map((id): Grantee => ({ type: 'GROUP', id }))
  await shareAll(environment, organization.id, rows, at => (at < count ? [toLaden(at)] : toGroups))
  // until every process has invalidated its cache
  await sleep(2_000)
  return { organization, owner, plain, laden, crowded }
}

/** Adds one person to every department and the other to new groups. Returns the departments. */
async function joinUnits(
  sql: pg.Pool,
  organizationId: string,
  { laden, crowded }: Pick<Company, 'laden' | 'crowded'>,
  groups: readonly string[],
): Promise<string[]> {
  await sql.query(
    `insert into unit (organization_id, id, kind, name) select $1, g, 'GROUP', g from unnest($2::text[]) g`,
    [organizationId, groups],
  )
  await sql.query(
    `insert into unit_member (organization_id, unit_id, person_id, kind)
     select $1, u.id, case u.kind when 'GROUP' then $3 else $2 end, u.kind from unit u
     where u.organization_id = $1 and u.kind in ('DEPARTMENT', 'GROUP') on conflict do nothing`,
    [organizationId, laden.id, crowded.id],
  )
  await sql.query('insert into access_change (organization_id, id) values ($1, $2)', [
    organizationId,
    newId(),
  ])
  const { rows } = await sql.query<{ id: string }>(
    `select id from unit where organization_id = $1 and kind = 'DEPARTMENT' order by id`,
    [organizationId],
  )
  return rows.map(({ id }) => id)
}

async function shareAll(
  environment: BenchEnvironment,
  organizationId: string,
  rows: readonly { id: string }[],
  granteesOf: (at: number) => Grantee[],
): Promise<void> {
  const hour = 3_600_000
  const database = await openDatabase({
    url: environment.env.DATABASE_URL,
    poolSize: 1,
    connectTimeoutMs: 10_000,
    applicationName: 'patio bench',
    lockTimeoutMs: hour,
    statementTimeoutMs: hour,
    idleInTransactionTimeoutMs: hour,
  })
  try {
    const ids = rows.map(({ id }) => id)
    await seedShares(database, organizationId, ids, granteesOf)
    // the database would do this later, during the measurement
    await database.pool.query('vacuum analyze asset_share, share_bucket_count, asset_search')
  } finally {
    await database.close()
  }
}
