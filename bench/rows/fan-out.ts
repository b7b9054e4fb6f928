import { setTimeout as sleep } from 'node:timers/promises'
import { only } from '#tests/support/elements.ts'
import type { BenchEnvironment, FilledDatabase } from '../environment.ts'
import { startNchan } from '../nchan.ts'
import { type BenchOrganization, tokensOf } from '../people.ts'
import { type Child, start } from '../processes.ts'
import type { DeliveryTimes, EventBurst } from '../publish.ts'
import { type Figure, say } from '../report.ts'
import type { CliOptions } from '../request-template.ts'
import { inOrder } from '../rounds.ts'
import { median, short, spread } from '../statistics.ts'
import type { Opened } from '../streams.ts'

const streamsPerPerson = 5
const publishers = 8
const ahead = 64

/** Deliveries per second to many open streams of one organization, over those of nginx with nchan. */
export async function fanOut(environment: BenchEnvironment): Promise<Figure[]> {
  const nchan = await startNchan()
  const crowd = await environment.organization('crowd', 200, environment.size.receivers / streamsPerPerson)
  const streams = start('bench/streams.ts', [], {})
  await openStreams(streams, environment, crowd, 'product', streamsPerPerson)
  const product = await productBurst(environment, crowd)
  // the first events show their format
  await product(streams, 0.5)
  const sample = await streams.ask<string>('sample', 'product')
  if (typeof nchan === 'string') say(`fan-out: the peer is skipped, ${nchan}`)
  else {
    const paths = Array<string>(environment.size.receivers).fill(nchan.subscribe)
    await streams.ask('open', { name: 'peer', port: nchan.port, paths } satisfies Opened)
  }
  const ours: DeliveryTimes[] = []
  const theirs: DeliveryTimes[] = []
  const { seconds, rounds } = environment.size
  for (let round = 0; round <= rounds; round++) {
    const sides = [async () => void ours.push(await product(streams, seconds))]
    if (typeof nchan !== 'string') {
      sides.push(async () => void theirs.push(await peerBurst(streams, nchan, seconds, sample)))
    }
    for (const side of inOrder(sides, round)) {
      await sleep(200)
      await side()
    }
  }
  await streams.stop()
  if (typeof nchan !== 'string') await nchan.stop()
  // the first round was the warm-up
  const value = spread(
    ours.slice(1).map((one, round) => one.perSecond / (theirs[round + 1]?.perSecond ?? Number.NaN)),
  )
  const raw = [rawLine(`product, ${environment.size.receivers} streams`, ours.slice(1))]
  if (theirs.length > 0) raw.push(rawLine('nchan', theirs.slice(1)))
  return [{ name: 'fan-out', value, raw }]
}

/** Opens streams of each person in groups, because the token of a stream lasts a minute. */
export async function openStreams(
  streams: Child,
  { api }: BenchEnvironment,
  organization: BenchOrganization,
  name: string,
  each: number,
): Promise<void> {
  for (let from = 0; from < organization.people.length; from += 50) {
    const people = organization.people.slice(from, from + 50)
    const tokens = await tokensOf({ ...organization, people }, 'stream')
    const paths = tokens.flatMap(token => Array<string>(each).fill(`/api/studio/events?token=${token}`))
    await streams.ask('open', { name, port: api.port, paths } satisfies Opened)
  }
}

/** The cheapest request that causes an event: the owner changes the icon of assets that everybody sees. */
export async function changeOf({
  assetIds,
  ...organization
}: FilledDatabase): Promise<CliOptions & { ids: string[] }> {
  const token = only(await tokensOf({ ...organization, people: [organization.owner] }))
  return {
    method: 'PATCH',
    path: '/api/studio/assets/{id}',
    body: '{"iconName":"{name}"}',
    ids: assetIds,
    tokens: [token],
    status: 200,
  }
}

async function productBurst(environment: BenchEnvironment, crowd: FilledDatabase) {
  const change = await changeOf(crowd)
  let from = 0
  return async (streams: Child, seconds: number): Promise<DeliveryTimes> => {
    await environment.settled()
    const given = { ...change, name: 'product', port: environment.api.port, publishers, ahead, seconds, from }
    const delivered = await streams.ask<DeliveryTimes>('burst', given satisfies EventBurst & { name: string })
    from += delivered.events
    return delivered
  }
}

function peerBurst(
  streams: Child,
  nchan: { port: number; publish: string },
  seconds: number,
  sample: string,
) {
  const event = /^event: (.*)$/m.exec(sample)?.[1] ?? ''
  const burst: EventBurst & { name: string } = {
    name: 'peer',
    port: nchan.port,
    publishers,
    ahead,
    seconds,
    from: 0,
    method: 'POST',
    path: nchan.publish,
    tokens: ['none'],
    status: 201,
    headers: `X-EventSource-Event: ${event}\r\n`,
    body: /^data: (.*)$/m.exec(sample)?.[1] ?? '',
  }
  return streams.ask<DeliveryTimes>('burst', burst)
}

function rawLine(name: string, rounds: readonly DeliveryTimes[]): string {
  const of = (pick: (one: DeliveryTimes) => number) => short(median(rounds.map(pick)))
  const perSecond = of(one => one.perSecond)
  const delay = `all have an event after p50 ${of(one => one.p50Ms)} ms, p99 ${of(one => one.p99Ms)} ms`
  return `${name}: ${perSecond} deliveries/s of ${of(one => one.bytesEach)} bytes, ${delay}`
}
