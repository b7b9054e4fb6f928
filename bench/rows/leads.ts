import type { Asked } from '../asked.ts'
import { bounds } from '../claims.ts'
import { fillLeads } from '../leads.ts'
import { makeOrganization, type Organization, tokensOf } from '../people.ts'
import type { Figure } from '../report.ts'
import { inTurns, ratios, rawLine, type Side } from '../rounds.ts'
import type { Stage } from '../stage.ts'
import { median, spread } from '../statistics.ts'
import { compare, sideOf } from './requests.ts'

const leads = '/api/crm/leads'

type Place = Organization & { tokens: string[]; ids: string[] }
const places = new WeakMap<Stage, Promise<Place>>()

/** An organization with as many leads as the large one has assets. */
function crowded(stage: Stage): Promise<Place> {
  const place = places.get(stage) ?? fill(stage, stage.size.large, true)
  places.set(stage, place)
  return place
}

async function fill(stage: Stage, count: number, isKnown: boolean): Promise<Place> {
  const organization = await makeOrganization(stage.sql, `${count} leads`, 16)
  await fillLeads(stage.sql, organization, { leads: count, isKnown })
  await stage.sql.query('vacuum analyze lead, lead_clock, membership')
  const { rows } = await stage.sql.query<{ id: string }>(
    'select id from lead where organization_id = $1 order by md5(id) limit 10000',
    [organization.id],
  )
  return { ...organization, tokens: await tokensOf(organization), ids: rows.map(({ id }) => id) }
}

/** Leads that people read per second, over those of the bare program with the same statements. */
export async function leadRead(stage: Stage): Promise<Figure[]> {
  const { tokens, ids } = await crowded(stage)
  const kind = { name: 'lead-read', method: 'GET', path: `${leads}/{id}`, status: 200, tokens, ids } as const
  return [await compare(stage, kind.name, kind)]
}

/** Leads that people create per second, in the same way. */
export async function leadCreate(stage: Stage): Promise<Figure[]> {
  const { tokens } = await crowded(stage)
  const body = JSON.stringify({
    company: '{name}',
    firstName: 'Grace',
    lastName: 'Hopper',
    source: 'fair',
    score: 50,
    // no number that could be dialled: each lead would be a duplicate of all others
    phone: 'extension 12',
  })
  const kind = { name: 'lead-create', method: 'POST', path: leads, status: 201, tokens, body } as const
  return [await compare(stage, kind.name, kind)]
}

/** Pages that people read per second, in the same way: of a list, of a search, and of changes. */
export async function leadList(stage: Stage): Promise<Figure[]> {
  return [await page(stage, 'lead-list', '?limit=20')]
}
export async function leadSearch(stage: Stage): Promise<Figure[]> {
  return [await page(stage, 'lead-search', '/search?q=turing19&limit=20')]
}
export async function leadSync(stage: Stage): Promise<Figure[]> {
  return [await page(stage, 'lead-sync', changes)]
}

async function page(stage: Stage, name: string, path: string): Promise<Figure> {
  const { tokens } = await crowded(stage)
  return compare(stage, name, { name, method: 'GET', path: leads + path, status: 200, tokens })
}

const changes = '/sync?limit=1000'

/** A page of changes from the middle of many leads beside one from the middle of few. */
export async function leadSyncFlat(stage: Stage): Promise<Figure[]> {
  const sides: Side[] = []
  for (const count of [few, 5 * stage.size.large]) {
    const { id, tokens } = await fill(stage, count, false)
    const { rows } = await stage.sql.query<{ at: string }>(
      'select updated_at as at from lead where organization_id = $1 order by updated_at offset $2 limit 1',
      [id, count / 2],
    )
    const since = encodeURIComponent(new Date(rows[0]!.at).toISOString())
    const asked: Asked = {
      method: 'GET',
      path: `${leads}${changes}&updatedSince=${since}`,
      status: 200,
      tokens,
    }
    sides.push(sideOf(stage, `${count.toLocaleString('en')} leads`, stage.api, asked, 0, 4))
  }
  const [small = [], large = []] = await inTurns(stage, sides)
  return [
    {
      name: 'lead-sync-flat',
      value: spread(ratios(large, small, round => round.meanMs)),
      raw: [rawLine(sides[0]!.name, small), rawLine(sides[1]!.name, large)],
    },
  ]
}

const few = 10_000
const lanes = 8

/** How far the median times of searches by e-mail are apart: one finds somebody, the others for one reason or another nobody. */
export async function leadByEmail(stage: Stage): Promise<Figure[]> {
  const { tokens } = await crowded(stage)
  const elsewhere = await fill(stage, few, true)
  const [token = ''] = tokens
  await call(stage, 'POST', '', token, { email: 'hit@example.test' })
  await call(stage, 'POST', '', elsewhere.tokens[0]!, { email: 'elsewhere@example.test' })
  const { lead } = (await call(stage, 'POST', '', token, { email: 'erased@example.test' })) as {
    lead: { id: string }
  }
  await call(stage, 'POST', `/${lead.id}/erase`, token, { reason: 'bench' })
  const kinds = ['hit', 'miss', 'elsewhere', 'erased'] as const
  const times = new Map(kinds.map(kind => [kind, [] as number[]]))
  let left = stage.size.pairs
  async function lane(): Promise<void> {
    while (left-- > 0) {
      const order = left % 2 === 0 ? kinds : kinds.toReversed()
      for (const kind of order) {
        const startedAt = performance.now()
        await call(stage, 'GET', `/by-email?email=${kind}@example.test`, token)
        times.get(kind)!.push(performance.now() - startedAt)
      }
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  const medians = kinds.map(kind => median(times.get(kind)!))
  const apart = Math.max(...medians) - Math.min(...medians)
  return [
    {
      name: 'lead-by-email',
      value: spread([apart / bounds.byEmailMs]),
      raw: kinds.map(
        (kind, at) => `${kind}: median ${medians[at]!.toFixed(3)} ms of ${times.get(kind)!.length}`,
      ),
    },
  ]
}

async function call(
  stage: Stage,
  method: 'GET' | 'POST',
  path: string,
  token: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${stage.api.port}${leads}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (response.status >= 300 && response.status !== 404)
    throw new Error(`${method} ${path} answered ${response.status} ${JSON.stringify(answer)}`)
  return answer
}
