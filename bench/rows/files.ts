import { setTimeout as sleep } from 'node:timers/promises'
import { bounds } from '../claims.ts'
import type { BenchEnvironment } from '../environment.ts'
import { tokensOf } from '../people.ts'
import { type Child, start } from '../processes.ts'
import type { Figure } from '../report.ts'
import { inOrder } from '../rounds.ts'
import { median, quotients, short, spread } from '../statistics.ts'
import type { Transfer, Transferred } from '../transfer.ts'
import { residentMiB } from './processes.ts'
import { assets } from './requests.ts'

const bytes = 100 * 1024 * 1024
const settleMs = 500

/** One large file up and down again, beside a plain server that does only that. */
export async function files(environment: BenchEnvironment): Promise<Figure[]> {
  const organization = await environment.organization('busy', 10_000)
  const [token = ''] = await tokensOf(organization)
  const client = start('bench/transfer.ts', [], {})
  const api = start('server/main.mjs', ['api'], environment.env)
  const plain = start('bench/plain-files.ts', [], {})
  const ours = measured(await product(api, token, organization.owner.id))
  const theirs = measured(await bare(plain))
  const transfer = (given: Transfer) => client.ask<Transferred>('transfer', given)

  // loaded on the first request by both
  for (const { side } of [ours, theirs]) await run(side, 1_000)
  const before = residentMiB(api.pid)
  let most = before
  const look = setInterval(() => {
    most = Math.max(most, residentMiB(api.pid))
  }, 20)
  for (let round = 0; round <= environment.size.rounds; round++) {
    for (const { side, up, down } of inOrder([ours, theirs], round)) {
      const { sent, taken } = await run(side, bytes)
      if (round > 0) {
        up.push(sent)
        down.push(taken)
      }
    }
  }
  clearInterval(look)
  await Promise.all([client, api, plain].map(child => child.stop()))

  const speed = (seconds: number[]) => `${short(bytes / 1024 / 1024 / median(seconds))} MiB/s`
  const figure = (name: string, of: 'up' | 'down'): Figure => ({
    name,
    value: spread(quotients(theirs[of], ours[of])),
    raw: [`product ${speed(ours[of])}, plain ${speed(theirs[of])}`],
  })
  const extra = (most - before) / bounds.fileMiB
  return [
    figure('upload', 'up'),
    figure('download', 'down'),
    {
      name: 'files-memory',
      value: spread([extra]),
      raw: [`${short(most - before)} MiB more than the ${short(before)} MiB before`],
    },
  ]

  async function run({ upload, addressOf }: Side, size: number): Promise<{ sent: number; taken: number }> {
    await sleep(settleMs)
    const { seconds: sent, text } = await transfer({ ...upload, sends: size })
    await sleep(settleMs)
    const { seconds: taken, bytes: got } = await transfer(await addressOf(text))
    if (got !== size) throw new Error(`${got} bytes came back of ${size}`)
    return { sent, taken }
  }
}

/** A side with the seconds of its transfers. */
type MeasuredSide = { side: Side; up: number[]; down: number[] }
const measured = (side: Side): MeasuredSide => ({ side, up: [], down: [] })

type Side = { upload: Transfer; addressOf(reply: string): Transfer | Promise<Transfer> }

async function bare(plain: Child): Promise<Side> {
  const port = await plain.ask<number>('listen')
  return {
    upload: { port, path: '/files', status: 201 },
    addressOf: reply => ({ port, path: `/files/${JSON.parse(reply).name}`, status: 200 }),
  }
}

async function product(api: Child, token: string, personId: string): Promise<Side> {
  const { address = '' } = await api.ready
  const port = Number(new URL(address).port)
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ type: 'SKILL', name: `Large files of ${personId}` })
  const made = await fetch(`http://127.0.0.1:${port}${assets}`, { method: 'POST', headers, body })
  const { id } = (await made.json()) as { id: string }
  const path = `${assets}/${id}/versions/current/files`
  return {
    upload: { port, path: `${path}?overwrite=true`, token, status: 201 },
    async addressOf(reply) {
      const file = `${path}/${JSON.parse(reply).id}/download`
      const answered = await fetch(`http://127.0.0.1:${port}${file}`, { headers })
      const { url } = (await answered.json()) as { url: string }
      const { pathname, search } = new URL(url)
      return { port, path: pathname + search, status: 200 }
    },
  }
}
