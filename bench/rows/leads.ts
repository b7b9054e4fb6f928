import { firstOf, itemAt, only } from '#tests/support/elements.ts'
import { bounds } from '../claims.ts'
import type { BenchEnvironment } from '../environment.ts'
import { fillLeads } from '../leads.ts'
import { type BenchOrganization, makeOrganization, tokensOf } from '../people.ts'
import type { Figure } from '../report.ts'
import type { CliOptions } from '../request-template.ts'
import { type ComparedSide, inTurns, ratios, rawLine } from '../rounds.ts'
import { median, spread } from '../statistics.ts'
import { compare, sideOf } from './requests.ts'

const leads = '/api/crm/leads'
/** A page of a list of leads. */
export const leadPagePath = `${leads}?limit=20`

type SeededOrganization = BenchOrganization & { tokens: string[]; ids: string[] }
const places = new WeakMap<BenchEnvironment, Promise<SeededOrganization>>()

/** An organization with as many leads as the large one has assets. */
function crowded(environment: BenchEnvironment): Promise<SeededOrganization> {
  const place = places.get(environment) ?? makeLeads(environment, environment.size.large, true)
  places.set(environment, place)
  return place
}

/** An organization with leads; with `isKnown` they have names and e-mails for searches. */
export async function makeLeads(
  environment: BenchEnvironment,
  count: number,
  isKnown: boolean,
): Promise<SeededOrganization> {
  const organization = await makeOrganization(environment.sql, `${count} leads`, 16)
  await fillLeads(environment.sql, organization, { leads: count, isKnown })
  await environment.sql.query('vacuum analyze lead, lead_clock, membership')
  const { rows } = await environment.sql.query<{ id: string }>(
    'select id from lead where organization_id = $1 order by md5(id) limit 10000',
    [organization.id],
  )
  return { ...organization, tokens: await tokensOf(organization), ids: rows.map(({ id }) => id) }
}

/** Leads that people read per second, over those of the bare program with the same statements. */
export async function leadRead(environment: BenchEnvironment): Promise<Figure[]> {
  const { tokens, ids } = await crowded(environment)
  const kind = { name: 'lead-read', method: 'GET', path: `${leads}/{id}`, status: 200, tokens, ids } as const
  return [await compare(environment, kind.name, kind)]
}

/** Leads that people create per second, in the same way. */
export async function leadCreate(environment: BenchEnvironment): Promise<Figure[]> {
  const { tokens } = await crowded(environment)
  const body = JSON.stringify({
    company: '{name}',
    firstName: 'Grace',
    lastName: 'Hopper',
    source: 'fair',
    score: 50,
    // not a valid number, or each lead would be a duplicate of all others
    phone: 'extension 12',
  })
  const kind = { name: 'lead-create', method: 'POST', path: leads, status: 201, tokens, body } as const
  return [await compare(environment, kind.name, kind)]
}

/** Pages that people read per second, in the same way: of a list, of a search, and of changes. */
export async function leadList(environment: BenchEnvironment): Promise<Figure[]> {
  return [await page(environment, 'lead-list', '?limit=20')]
}
export async function leadSearch(environment: BenchEnvironment): Promise<Figure[]> {
  return [await page(environment, 'lead-search', '/search?q=turing19&limit=20')]
}
export async function leadSync(environment: BenchEnvironment): Promise<Figure[]> {
  return [await page(environment, 'lead-sync', changes)]
}

async function page(environment: BenchEnvironment, name: string, path: string): Promise<Figure> {
  const { tokens } = await crowded(environment)
  return compare(environment, name, { name, method: 'GET', path: leads + path, status: 200, tokens })
}

const changes = '/sync?limit=1000'

/** A page of changes from the middle of many leads beside one from the middle of few. */
export async function leadSyncFlat(environment: BenchEnvironment): Promise<Figure[]> {
  const sides: ComparedSide[] = []
  for (const count of [few, 5 * environment.size.large]) {
    const { id, tokens } = await makeLeads(environment, count, false)
    const { rows } = await environment.sql.query<{ at: string }>(
      'select updated_at as at from lead where organization_id = $1 order by updated_at offset $2 limit 1',
      [id, count / 2],
    )
    const since = encodeURIComponent(new Date(only(rows).at).toISOString())
    const request: CliOptions = {
      method: 'GET',
      path: `${leads}${changes}&updatedSince=${since}`,
      status: 200,
      tokens,
    }
    sides.push(sideOf(environment, `${count.toLocaleString('en')} leads`, environment.api, request, 0, 4))
  }
  const [small = [], large = []] = await inTurns(environment, sides)
  return [
    {
      name: 'lead-sync-flat',
      value: spread(ratios(large, small, round => round.meanMs)),
      raw: [rawLine(firstOf(sides).name, small), rawLine(itemAt(sides, 1).name, large)],
    },
  ]
}

const few = 10_000
const concurrency = 8

/**
 * The spread of the median times of lookups by e-mail: one finds a lead, the others for different reasons do
 * not.
 */
export async function leadByEmail(environment: BenchEnvironment): Promise<Figure[]> {
  const { tokens } = await crowded(environment)
  const elsewhere = await makeLeads(environment, few, true)
  const [token = ''] = tokens
  const [otherToken = ''] = elsewhere.tokens
  await call(environment, 'POST', '', token, { email: 'hit@example.test' })
  await call(environment, 'POST', '', otherToken, { email: 'elsewhere@example.test' })
  const { lead } = (await call(environment, 'POST', '', token, { email: 'erased@example.test' })) as {
    lead: { id: string }
  }
  await call(environment, 'POST', `/${lead.id}/erase`, token, { reason: 'bench' })
  const kinds = ['hit', 'miss', 'elsewhere', 'erased'] as const
  const times: Record<(typeof kinds)[number], number[]> = { hit: [], miss: [], elsewhere: [], erased: [] }
  let left = environment.size.pairs
  async function worker(): Promise<void> {
    while (left-- > 0) {
      const order = left % 2 === 0 ? kinds : kinds.toReversed()
      for (const kind of order) {
        const startedAt = performance.now()
        await call(environment, 'GET', `/by-email?email=${kind}@example.test`, token)
        times[kind].push(performance.now() - startedAt)
      }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  const medians = kinds.map(kind => median(times[kind]))
  const apart = Math.max(...medians) - Math.min(...medians)
  return [
    {
      name: 'lead-by-email',
      value: spread([apart / bounds.byEmailMs]),
      raw: kinds.map(kind => `${kind}: median ${median(times[kind]).toFixed(3)} ms of ${times[kind].length}`),
    },
  ]
}

async function call(
  environment: BenchEnvironment,
  method: 'GET' | 'POST',
  path: string,
  token: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${environment.api.port}${leads}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (response.status >= 300 && response.status !== 404)
    throw new Error(`${method} ${path} answered ${response.status} ${JSON.stringify(answer)}`)
  return answer
}
