import pg from 'pg'
import { inTurn } from '#tests/support/elements.ts'
import type { BenchEnvironment } from '../environment.ts'
import { openBenchNats, startNats } from '../nats.ts'
import { start } from '../processes.ts'
import { type Figure, say } from '../report.ts'
import { inOrder } from '../rounds.ts'
import type { Listening } from '../signal-listeners.ts'
import { median, quotients, short, spread } from '../statistics.ts'

const senders = 16
const listenerCounts = [10, 40]
const channel = 'patio_event'
// as long as the announcement of one organization
const payload = `${'o'.repeat(21)}:1234567`
const quick = '-c synchronous_commit=off'

/** The work that a sender repeats, and how often all senders did it in a second, by round. */
type Side = { send: ((sender: number) => Promise<unknown>) | undefined; perSecond: number[] }

/** Signals of many processes to many others: by NOTIFY, beside the same statements without it, and by NATS. */
export async function signals(environment: BenchEnvironment): Promise<Figure[]> {
  const { env, sql } = environment
  const nats = await startNats()
  if (typeof nats === 'string') say(`NATS was not measured: ${nats}.`)
  const natsPort = typeof nats === 'string' ? undefined : nats.port
  await sql.query('create table if not exists bench_commit (id int)')
  const hinting = await openClients(env.DATABASE_URL, quick)
  const writing = await openClients(env.DATABASE_URL)
  const carriers = natsPort === undefined ? [] : await Promise.all(hinting.map(() => openBenchNats(natsPort)))
  const statement = (clients: pg.Client[], name: string, text: string) => (sender: number) =>
    inTurn(clients, sender).query({ name, text, values: [payload] })
  const insert = 'with row as (insert into bench_commit values (1) returning id) select'
  const notify = `pg_notify('${channel}', $1)`
  const send = {
    plain: statement(hinting, 'plain', 'select length($1)'),
    notify: statement(hinting, 'notify', `select ${notify}`),
    commit: statement(writing, 'commit', `${insert} length($1) from row`),
    commitNotify: statement(writing, 'commit-notify', `${insert} ${notify} from row`),
    nats:
      carriers.length > 0 ? (sender: number) => inTurn(carriers, sender).notify(channel, payload) : undefined,
  }
  const figures: Figure[] = []
  for (const count of listenerCounts) {
    const listeners = start('bench/signal-listeners.ts', [], {})
    await listeners.ask('listen', { url: env.DATABASE_URL, natsPort, channel, count } satisfies Listening)
    figures.push(...figuresOf(count, await measure(environment, send)))
    await listeners.stop()
  }
  await Promise.all([...hinting, ...writing].map(client => client.end()))
  await Promise.all(carriers.map(carrier => carrier.close()))
  await sql.query('drop table bench_commit')
  if (typeof nats !== 'string') await nats.stop()
  return figures
}

async function measure<Name extends string>(
  { size }: BenchEnvironment,
  send: Record<Name, Side['send']>,
): Promise<Record<Name, number[]>> {
  const sides = Object.fromEntries(
    Object.entries<Side['send']>(send).map(([name, send]) => [name, { send, perSecond: [] }]),
  ) as unknown as Record<Name, Side>
  const all = Object.values<Side>(sides)
  for (let round = 0; round <= size.rounds; round++) {
    for (const side of inOrder(all, round))
      if (side.send) side.perSecond.push(await perSecond(side.send, size.seconds))
    // the first round warms up
    if (round === 0) for (const side of all) side.perSecond.length = 0
  }
  return Object.fromEntries(
    Object.entries<Side>(sides).map(([name, { perSecond }]) => [name, perSecond]),
  ) as Record<Name, number[]>
}

async function perSecond(send: (sender: number) => Promise<unknown>, seconds: number): Promise<number> {
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1000
  let sent = 0
  async function repeat(sender: number): Promise<void> {
    while (performance.now() < endsAt) {
      if ((await send(sender)) === false) throw new Error('a signal was lost')
      sent++
    }
  }
  await Promise.all(Array.from({ length: senders }, (_, sender) => repeat(sender)))
  return sent / ((performance.now() - startedAt) / 1000)
}

type Measured = Record<'plain' | 'notify' | 'commit' | 'commitNotify' | 'nats', number[]>

function figuresOf(count: number, { plain, notify, commit, commitNotify, nats }: Measured): Figure[] {
  const rate = (values: number[]) => short(median(values))
  return [
    {
      name: `signals-notify-${count}`,
      value: spread(quotients(notify, plain)),
      raw: [`a second: NOTIFY ${rate(notify)}, without ${rate(plain)}`],
    },
    {
      name: `signals-commit-${count}`,
      value: spread(quotients(commitNotify, commit)),
      raw: [`commits a second: with NOTIFY ${rate(commitNotify)}, without ${rate(commit)}`],
    },
    ...(nats.length === 0
      ? []
      : [
          {
            name: `signals-nats-${count}`,
            value: spread(quotients(nats, notify)),
            raw: [`a second: NATS ${rate(nats)}, NOTIFY ${rate(notify)}`],
          },
        ]),
  ]
}

function openClients(url: string, options = ''): Promise<pg.Client[]> {
  return Promise.all(
    Array.from({ length: senders }, async () => {
      const client = new pg.Client({ connectionString: url, options })
      await client.connect()
      return client
    }),
  )
}
