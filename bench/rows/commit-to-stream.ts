import { bounds } from '../claims.ts'
import type { BenchEnvironment } from '../environment.ts'
import { start } from '../processes.ts'
import type { Delays, PacedRun } from '../publish.ts'
import type { Figure } from '../report.ts'
import { median, short, spread } from '../statistics.ts'
import { changeOf, openStreams } from './fan-out.ts'

/**
 * From the request of a change to its event on a stream, at a steady pace. This is a little more than from
 * the commit, which is not visible from outside. The time of the change itself is beside it.
 */
export async function commitToStream(environment: BenchEnvironment): Promise<Figure[]> {
  const crowd = await environment.organization('crowd', 200, environment.size.receivers / 5)
  const change = await changeOf(crowd)
  const bare = await environment.bare(
    await environment.record([{ ...change, name: 'change', ids: change.ids.slice(-16) }]),
  )
  const streams = start('bench/streams.ts', [], {})
  await openStreams(streams, environment, { ...crowd, people: crowd.people.slice(0, 10) }, 'readers', 1)
  const pace = { ...change, perSecond: bounds.eventsPerSecond, seconds: environment.size.seconds }
  const ours: Delays[] = []
  const theirs: Delays[] = []
  for (let round = 0; round <= environment.size.rounds; round++) {
    const from = round * pace.perSecond * pace.seconds
    const product: PacedRun & { name: string } = {
      ...pace,
      name: 'readers',
      port: environment.api.port,
      from: 20_000_000 + from,
    }
    const limit: PacedRun = { ...pace, port: bare.port, from: 60_000_000 + from }
    await environment.settled()
    ours.push(await streams.ask<Delays>('paced', product))
    await environment.settled()
    theirs.push(await streams.ask<Delays>('paced', limit))
  }
  await streams.stop()
  const of = (rounds: Delays[], pick: (one: Delays) => number) => short(median(rounds.slice(1).map(pick)))
  return [
    {
      name: 'commit-to-stream',
      value: spread(ours.slice(1).map(({ eventMs }) => eventMs.p99 / bounds.commitToStreamMs)),
      raw: [
        `from request to event: p50 ${of(ours, one => one.eventMs.p50)} ms, p99 ${of(ours, one => one.eventMs.p99)} ms`,
        `to the answer, product: p50 ${of(ours, one => one.answerMs.p50)} ms, p99 ${of(ours, one => one.answerMs.p99)} ms`,
        `to the answer, bare: p50 ${of(theirs, one => one.answerMs.p50)} ms, p99 ${of(theirs, one => one.answerMs.p99)} ms`,
      ],
    },
  ]
}
