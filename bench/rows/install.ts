import { randomBytes } from 'node:crypto'
import { inTurn, itemAt } from '#tests/support/elements.ts'
import { insertOperator } from '#tests/support/identity/people.ts'
import { onPool } from '#tests/support/rows.ts'
import { bounds } from '../claims.ts'
import type { BenchEnvironment } from '../environment.ts'
import { type BenchOrganization, tokensOf } from '../people.ts'
import type { Figure } from '../report.ts'
import { inOrder, processorMs } from '../rounds.ts'
import { median, percentile, quotients, short, spread } from '../statistics.ts'
import { assets } from './requests.ts'

const market = '/api/studio/marketplace'
const filesOfEach = 20
const bytesOfEach = { large: 1_048_576, small: 1_024 } as const
const installsOfARound = 50
const atOnce = 8

type Ask = (token: string, path: string, body?: object | FormData) => Promise<Record<string, string>>

/** Installs of a skill with 20 attachments, one after the other and several at once. */
export async function install(environment: BenchEnvironment): Promise<Figure[]> {
  const publisher = await environment.organization('publisher', 10)
  const visitors = await environment.organization('visitors', 10_000)
  await environment.sql.query(`update organization set features = '{marketplace}' where id = any($1)`, [
    [publisher.id, visitors.id],
  ])
  const ask = asker(environment)
  const large = await installations(bytesOfEach.large)
  const small = await installations(bytesOfEach.small)
  await environment.sql.query('vacuum analyze')
  const tokens = await tokensOf(visitors)
  let next = 0
  const installed = async (entryId: string) => {
    const start = performance.now()
    const token = inTurn(tokens, next++)
    await ask(token, `${market}/entries/${entryId}/install`, { acknowledgeDisclaimer: true })
    return performance.now() - start
  }

  const together: number[] = []
  const processors: number[] = []
  for (let round = 0; round <= environment.size.rounds; round++) {
    // beyond the daily limit
    await environment.sql.query('delete from rate_window')
    const before = processorMs(environment.api.pid)
    for (const { entryId, rounds } of inOrder([large, small], round)) {
      const took: number[] = []
      for (let n = 0; n < installsOfARound; n++) took.push(await installed(entryId))
      // the first round warms up
      if (round > 0) rounds.push(took)
    }
    const processor = (processorMs(environment.api.pid) - before) / (2 * installsOfARound)
    const times: number[] = []
    for (let n = 0; n < installsOfARound; n += atOnce)
      times.push(...(await Promise.all(Array.from({ length: atOnce }, () => installed(large.entryId)))))
    await environment.settled()
    if (round === 0) continue
    together.push(percentile(times, 0.95))
    processors.push(processor)
  }
  return figuresOf(large.rounds, small.rounds, together, processors)

  async function installations(bytes: number): Promise<{ entryId: string; rounds: number[][] }> {
    return { entryId: await listed(environment, ask, publisher, bytes), rounds: [] }
  }
}

/** `large` and `small` are the times of each round. */
function figuresOf(large: number[][], small: number[][], together: number[], processors: number[]): Figure[] {
  const p95 = large.map(times => percentile(times, 0.95))
  const medians = (sets: number[][]) => sets.map(median)
  const ms = (values: number[]) => `${short(median(values))} ms`
  return [
    {
      name: 'install',
      value: spread(p95.map(one => one / bounds.installMs)),
      raw: [`p95 ${ms(p95)}, median ${ms(medians(large))}, processor ${ms(processors)} each`],
    },
    {
      name: 'install-together',
      value: spread(together.map(one => one / bounds.installMs)),
      raw: [`p95 ${ms(together)}, ${atOnce} people at once`],
    },
    {
      name: 'install-bytes',
      value: spread(quotients(medians(large), medians(small))),
      raw: [`20 MiB ${ms(medians(large))}, 20 KiB ${ms(medians(small))}`],
    },
  ]
}

/** A listed skill with attachments of that size. */
async function listed(
  environment: BenchEnvironment,
  ask: Ask,
  publisher: BenchOrganization,
  bytes: number,
): Promise<string> {
  const [author = '', operator = ''] = await tokensOf(publisher)
  const { id: operatorId } = itemAt(publisher.people, 1)
  await insertOperator(onPool(environment.sql), { id: operatorId, organizationId: publisher.id })
  const bodyMarkdown = 'Read the references before you answer.\n'.repeat(50)
  const skill = { type: 'SKILL', name: `A skill of ${bytes}`, description: 'Answers.', bodyMarkdown }
  const { id: assetId = '' } = await ask(author, assets, skill)
  const form = new FormData()
  for (let n = 0; n < filesOfEach; n++)
    form.append('file', new Blob([randomBytes(bytes)]), `references/part-${n}.bin`)
  await ask(author, `${assets}/${assetId}/versions/current/files`, form)
  await ask(author, `${assets}/${assetId}/publish`, {})
  const body = { assetId, category: 'PRODUCTIVITY', acceptPolicy: true }
  const { id: entryId = '' } = await ask(author, `${market}/entries`, body)
  const submissions = '/api/operator/marketplace/submissions'
  const { releaseId } = await ask(operator, `${submissions}/${entryId}`)
  await ask(operator, `${submissions}/${entryId}/approve`, { releaseId })
  return entryId
}

function asker(environment: BenchEnvironment): Ask {
  return async (token, path, body) => {
    const isForm = body instanceof FormData
    const answer = await fetch(`http://127.0.0.1:${environment.api.port}${path}`, {
      ...(body && { method: 'POST', body: isForm ? body : JSON.stringify(body) }),
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body && !isForm && { 'Content-Type': 'application/json' }),
      },
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
    return JSON.parse(text)
  }
}
