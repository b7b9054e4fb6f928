import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { openDatabase } from '#platform/data/database.ts'
import { newId } from '#platform/ids.ts'
import type { Grantee } from '#server/studio/shares/share.rules.ts'
import { type Person, tokensOf } from '../people.ts'
import type { Figure } from '../report.ts'
import { inTurns, type Round, ratios, rawLine } from '../rounds.ts'
import { seedShares } from '../shares.ts'
import type { Filled, Stage } from '../stage.ts'
import { spread } from '../statistics.ts'
import { large, plantRareWord, words } from './lists.ts'
import { assets, sideOf } from './requests.ts'

const atOnce = 4

/** A page for people with many rights, beside that of a colleague with few. */
export async function shares(stage: Stage): Promise<Figure[]> {
  const { laden, crowded, plain } = await company(stage)
  const figures: Figure[] = []
  for (const [name, person] of Object.entries({ shares: laden, 'shares-crowded': crowded })) {
    const path = `${assets}?limit=20`
    figures.push(await beside(stage, name, path, person, plain, round => round.meanMs))
  }
  return figures
}

/** Searches of somebody with many rights, beside those of the owner, who may read everything. */
export async function searchAccess(stage: Stage): Promise<Figure[]> {
  const { organization, owner, laden } = await company(stage)
  await plantRareWord(stage, organization)
  const figures: Figure[] = []
  for (const [word, text] of Object.entries(words)) {
    const path = `${assets}?search=${text}&limit=20`
    figures.push(await beside(stage, `search-access-${word}`, path, laden, owner, round => round.p95Ms))
  }
  return figures
}

/** The time that a request takes for one person, over that for another. */
async function beside(
  stage: Stage,
  name: string,
  path: string,
  person: Person,
  other: Person,
  of: (round: Round) => number,
): Promise<Figure> {
  const { organization } = await company(stage)
  const sides = [person, other].map(async one => {
    const tokens = await tokensOf({ ...organization, people: [one] })
    return sideOf(stage, name, stage.api, { method: 'GET', path, tokens, status: 200 }, 0, atOnce)
  })
  const [theirs = [], others = []] = await inTurns(stage, await Promise.all(sides))
  const raw = [rawLine('with many rights', theirs), rawLine('beside', others)]
  return { name, value: spread(ratios(theirs, others, of)), raw }
}

type Company = {
  organization: Filled
  owner: Person
  /** One department, no share. */
  plain: Person
  /** Every department, and a share of each of 10,000 assets: in person, of a fifth by a department. */
  laden: Person
  /** One department, and two groups that both have a share of each of 10,000 assets. */
  crowded: Person
}
const companies = new WeakMap<Stage, Promise<Company>>()

/** The large organization, when some of its people were given many rights. */
function company(stage: Stage): Promise<Company> {
  const made = companies.get(stage) ?? makeCompany(stage)
  companies.set(stage, made)
  return made
}

async function makeCompany(stage: Stage): Promise<Company> {
  const organization = await large(stage)
  const [owner, plain, laden, crowded] = organization.people as [Person, Person, Person, Person]
  const groups = [newId(), newId()]
  const departments = await joinUnits(stage.sql, organization.id, { laden, crowded }, groups)

  const count = Math.min(10_000, stage.size.large / 20)
  const { rows } = await stage.sql.query<{ id: string }>(
    `select a.id from asset a where a.organization_id = $1 and a.visibility in ('PRIVATE', 'WORKSPACE')
       and a.author_id <> all($2) order by md5(a.id) limit $3`,
    [organization.id, [laden.id, crowded.id], 2 * count],
  )
  const toLaden = (at: number): Grantee =>
    at % 5 === 0
      ? { type: 'DEPARTMENT', id: departments[at % departments.length]! }
      : { type: 'USER', id: laden.id }
  const toGroups = groups.map((id): Grantee => ({ type: 'GROUP', id }))
  await shareAll(stage, organization.id, rows, at => (at < count ? [toLaden(at)] : toGroups))
  // until every process has heard who is where
  await sleep(2_000)
  return { organization, owner, plain, laden, crowded }
}

/** Puts one person into every department and the other into new groups. Gives the departments. */
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
  stage: Stage,
  organizationId: string,
  rows: readonly { id: string }[],
  whom: (at: number) => Grantee[],
): Promise<void> {
  const hour = 3_600_000
  const database = await openDatabase({
    url: stage.env.DATABASE_URL!,
    poolSize: 1,
    connectTimeoutMs: 10_000,
    applicationName: 'patio bench',
    lockTimeoutMs: hour,
    statementTimeoutMs: hour,
    idleInTransactionTimeoutMs: hour,
  })
  try {
    const ids = rows.map(({ id }) => id)
    await seedShares(database, organizationId, ids, whom)
    // what the database would do by itself later, while we measure
    await database.pool.query('vacuum analyze asset_share, share_bucket_count, asset_search')
  } finally {
    await database.close()
  }
}
