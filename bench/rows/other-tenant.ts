import { inTurn } from '#tests/support/elements.ts'
import { type BenchEnvironment, type FilledDatabase, smallSize } from '../environment.ts'
import { tokensOf } from '../people.ts'
import type { Figure } from '../report.ts'
import { type ComparedSide, inTurns, type Round, ratios } from '../rounds.ts'
import { median, short, spread } from '../statistics.ts'
import { assets, sideOf } from './requests.ts'

const connections = 4
/** The maximum input of an operation: characters of a body, fields of front matter, items of a budget. */
const [bodyCharacters, mostFields, mostItems] = [500_000, 700, 240]

/** A request, and its accepted statuses. */
type Hostile = { name: string; send(): Promise<Response>; statuses: readonly number[] }

/**
 * A person of one organization reads a page of assets repeatedly, while a MEMBER of another one sends the
 * most expensive requests on four connections without a pause.
 */
export async function otherTenant(environment: BenchEnvironment): Promise<Figure[]> {
  const quiet = await reader(environment)
  const hostile = await hostileRequests(environment)
  const counts = new Map<string, number>()
  // continues where the round before ended, so that all of them are sent
  let next = 0
  const beside: ComparedSide = {
    ...quiet,
    name: 'beside',
    async run(seconds) {
      let isOver = false
      const attack = async () => {
        while (!isOver) {
          const { name, send, statuses } = inTurn(hostile, next++)
          const answer = await send()
          await answer.arrayBuffer()
          if (!statuses.includes(answer.status)) throw new Error(`${name} answered ${answer.status}`)
          counts.set(name, (counts.get(name) ?? 0) + 1)
        }
      }
      const attacks = Array.from({ length: connections }, attack)
      try {
        return await quiet.run(seconds)
      } finally {
        isOver = true
        await Promise.all(attacks)
      }
    },
  }
  const [alone = [], attacked = []] = await inTurns(environment, [quiet, beside])
  const p95 = (rounds: Round[]) => `${short(median(rounds.map(one => one.p95Ms)))} ms`
  return [
    {
      name: 'other-tenant',
      value: spread(ratios(attacked, alone, one => one.p95Ms)),
      raw: [
        `p95 quiet ${p95(alone)}, beside ${p95(attacked)}`,
        `hostile requests: ${[...counts].map(([name, count]) => `${name} ${count}`).join(', ')}`,
      ],
    },
  ]
}

async function reader(environment: BenchEnvironment): Promise<ComparedSide> {
  const tokens = await tokensOf(await environment.organization('small', smallSize))
  const page = { method: 'GET', path: `${assets}?limit=20`, status: 200, tokens } as const
  return sideOf(environment, 'quiet', environment.api, page, 0, 1)
}

async function hostileRequests(environment: BenchEnvironment): Promise<Hostile[]> {
  const organization: FilledDatabase = await environment.organization('hostile', 100)
  // the first person is the owner, the others are members
  const [, token = ''] = await tokensOf(organization)
  const ask = (method: string, path: string, body?: string) =>
    fetch(`http://127.0.0.1:${environment.api.port}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    })
  const made = async (path: string, body: object): Promise<{ id: string }> => {
    const answer = await ask('POST', path, JSON.stringify(body))
    const text = await answer.text()
    if (answer.status !== 201) throw new Error(`${path} answered ${answer.status} ${text.slice(0, 500)}`)
    return JSON.parse(text)
  }
  const frontmatter = fields(mostFields)
  const skill = { type: 'SKILL', name: 'Large', description: 'Large', frontmatter }
  const { id } = await made(assets, { ...skill, bodyMarkdown: lines(1) })
  await made(`${assets}/${id}/versions`, { version: '2.0.0', bodyMarkdown: lines(2) })
  const { id: clientId } = await made('/api/crm/clients', { name: 'Client' })
  const { id: budgetId } = await made('/api/crm/budgets', {
    clientId,
    title: 'Large',
    sections: [{ items: Array.from({ length: mostItems }, item) }],
  })
  const flooded = JSON.stringify({ ...skill, frontmatter: fields(90_000) }).slice(0, 8_000_000)
  const largest = JSON.stringify({ ...skill, bodyMarkdown: '🦉'.repeat(bodyCharacters) })
  const lists = `{"name":"x","tags":[${'[],'.repeat(300_000)}[]]}`
  return [
    { name: 'front matter', send: () => ask('POST', assets, flooded), statuses: [400, 413] },
    {
      name: 'comparison',
      send: () => ask('GET', `${assets}/${id}/versions/1.0.0/diff/2.0.0`),
      statuses: [200],
    },
    { name: 'export', send: () => ask('GET', `${assets}/${id}/export`), statuses: [200] },
    { name: 'PDF', send: () => ask('GET', `/api/crm/budgets/${budgetId}/pdf`), statuses: [200, 503] },
    { name: 'body', send: () => ask('POST', assets, largest), statuses: [201] },
    { name: 'lists', send: () => ask('POST', `${assets}/${id}/duplicate`, lists), statuses: [400] },
  ]
}

const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`key${n}`, n]))
const item = () => ({ name: 'W'.repeat(200), description: 'palabra '.repeat(250), unitPriceCents: 100 })

/** Short random lines, the same for the same seed: the slowest input of a comparison. */
function lines(seed: number): string {
  let text = ''
  for (let value = seed; text.length < bodyCharacters - 10; ) {
    value = (value * 1_103_515_245 + 12_345) % 2_147_483_648
    text += `l${value % 5_000}\n`
  }
  return text
}
