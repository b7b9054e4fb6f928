import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect } from 'vitest'
import { createAsset } from '#contract/studio/assets.ts'
import type { Client } from '#sdk/client.ts'
import { clientOf, type Demo, readDemo } from '../faults/demo.ts'
import { type Ledger, openLedger } from '../faults/ledger.ts'
import { type OpenStream, openStream } from '../faults/stream.ts'
import { allCaptured, firstOf } from './elements.ts'
import { defaultTimeouts, type Patio, start, until, usedDataFolder } from './processes.ts'
import { openWatch, type Watch } from './watch.ts'

/**
 * A whole server with demo people under load: writers that note what is acknowledged, an open event stream, and a
 * watch of what is served.
 */
export type WorstDay = {
  readonly patio: Patio
  readonly dataDir: string
  readonly demo: Demo
  /** The owner of the first organization. */
  readonly client: Client
  readonly ledger: Ledger
  readonly stream: OpenStream
  readonly watch: Watch
  /** Resolves when a write is acknowledged and its event arrives on a stream: the open one, or else a new one. */
  isBack(): Promise<void>
  /** A connection of ours to the database. */
  database(): Promise<pg.Client>
  /** Ends the load, prints what was observed, and compares the database with what was acknowledged. */
  verify(title: string): Promise<void>
}

type Options = {
  env?: Record<string, string>
  via?: string[]
  /** The data folder for the program, and the same folder for us if the program has its own mounts. */
  dataDir?: string
  seenAs?: (patio: Patio) => string
  /** If it is not the embedded one. */
  databaseUrl?: string
}

export async function openWorstDay({
  env = {},
  via = [],
  dataDir,
  seenAs,
  databaseUrl,
}: Options = {}): Promise<WorstDay> {
  const folder = dataDir ?? (await usedDataFolder())
  const patio = await start('up', { DATA_DIR: folder, ...defaultTimeouts, ...env }, { via })
  const seen = seenAs?.(patio) ?? folder
  const demo = readDemo(seen)
  const people = firstOf(demo.organizations).people.slice(0, 3)
  const writers = await Promise.all(
    people.map(async person => ({ personId: person.id, client: await clientOf(patio.url, person) })),
  )
  const { client } = firstOf(writers)
  const stream = await openStream(patio.url, client)
  const ledger = openLedger(writers)
  const watch = openWatch(patio.url, client)
  watch.begin('before')
  await ledger.grows(100)

  async function database(): Promise<pg.Client> {
    const url = databaseUrl ?? readFileSync(join(seen, 'database.url'), 'utf8').trim()
    const connection = new pg.Client({
      connectionString: url.replace(encodeURIComponent(folder), encodeURIComponent(seen)),
    })
    await connection.connect()
    return connection
  }

  return {
    patio,
    dataDir: seen,
    demo,
    client,
    ledger,
    stream,
    watch,
    database,
    async isBack() {
      await ledger.grows(20)
      const open = stream.ended() === undefined ? stream : await openStream(patio.url, client)
      const { id } = await client.call(createAsset, { body: { type: 'PROMPT', name: 'Back' } })
      await open.shows(id)
    },
    async verify(title) {
      await Promise.all([watch.stop(), ledger.stop()])
      process.stdout.write(
        `${title}\n${watch.report()}\n${ledger.acknowledged()} writes were acknowledged, ${ledger.unknown()} were not\n`,
      )
      const connection = await database()
      await ledger.check(connection)
      await assertStreamIsComplete(stream, connection)
      await connection.end()
      stream.close()
      expect(patio.lines().filter(({ level }) => level >= 60)).toEqual([])
    },
  }
}

/** The stream showed each asset that was created while it was open, once. */
export async function assertStreamIsComplete(stream: OpenStream, database: pg.Client): Promise<void> {
  const shown = allCaptured(/^data: (.+)$/gm, stream.text())
    .map(json => JSON.parse(json) as { id: string; type?: string; organizationId: string })
    .filter(({ type }) => type === 'ai-asset.created')
  const numbers = shown.map(({ id }) => Number(id)).sort((a, b) => a - b)
  expect(numbers.length).toBeGreaterThan(0)
  const { rows } = await database.query(
    `select seq::int from event where organization_id = $1 and name = 'ai-asset.created' and seq between $2 and $3
     order by seq`,
    [firstOf(shown).organizationId, numbers[0], numbers.at(-1)],
  )
  expect(numbers, 'the events on the stream').toEqual(rows.map(({ seq }) => seq))
}

/** Waits, because the day lasts that long. */
export async function lasts(ms: number): Promise<void> {
  const endsAt = performance.now() + ms
  await until(`${ms} ms have passed`, () => performance.now() >= endsAt)
}
