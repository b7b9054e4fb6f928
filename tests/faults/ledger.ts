import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { expect } from 'vitest'
import { createAsset, listAssets } from '#contract/studio/assets.ts'
import { thumbsDownAsset, thumbsUpAsset, useAsset } from '#contract/studio/uses.ts'
import { CallError, type Client } from '#sdk/client.ts'
import { until } from '#tests/support/processes.ts'

/** A writer and their own list of what the server promised to keep. */
export type Writer = { personId: string; client: Client }

type StoredRows = { uses: number; unknownUses: number; thumbs: Map<string, boolean> }

/** Clients that write all the time and note every acknowledgement, and every write whose answer did not come. */
export type Ledger = {
  /** Acknowledged writes so far. */
  acknowledged(): number
  /** Writes whose fate the client cannot know. */
  unknown(): number
  /** Resolves when so many more writes were acknowledged, with the milliseconds that it took. */
  grows(by?: number, withinMs?: number): Promise<number>
  stop(): Promise<void>
  /** Compares the list with the database. */
  check(database: pg.Client): Promise<void>
}

/**
 * Starts two tasks for each writer. Answers other than success, these `faultStatuses` and a broken connection fail the ledger.
 */
export function openLedger(writers: Writer[], faultStatuses: readonly number[] = [503]): Ledger {
  const assets = new Map<string, StoredRows>()
  const wrong: unknown[] = []
  let acknowledged = 0
  let unknown = 0
  let isStopping = false

  /** The reply, or undefined when the write may or may not have happened. */
  async function attempt<Reply>(write: () => Promise<Reply>): Promise<Reply | undefined> {
    try {
      const reply = await write()
      acknowledged++
      return reply
    } catch (error) {
      unknown++
      const isFault = !(error instanceof CallError) || faultStatuses.includes(error.status)
      if (!isFault) wrong.push(error)
      // like a client after a 503, with a shorter pause
      await sleep(50)
      return undefined
    }
  }

  async function createNext({ personId, client }: Writer, name: string): Promise<void> {
    for (let round = 0; !isStopping; round++) {
      const body = { type: 'PROMPT' as const, name: `${name} ${round}`, bodyMarkdown: 'Kept or not.' }
      const created = await attempt(() => client.call(createAsset, { body }))
      if (!created) continue
      const stored: StoredRows = { uses: 0, unknownUses: 0, thumbs: new Map() }
      assets.set(created.id, stored)
      const params = { id: created.id }
      for (let use = 0; use < 2; use++) {
        if (await attempt(() => client.call(useAsset, { params, body: {} }))) stored.uses++
        else stored.unknownUses++
      }
      const isUp = round % 2 === 0
      const thumbs = await attempt(() => client.call(isUp ? thumbsUpAsset : thumbsDownAsset, { params }))
      if (thumbs) stored.thumbs.set(personId, isUp)
    }
  }
  const running = writers.flatMap((writer, index) =>
    Array.from({ length: 2 }, (_, number) => createNext(writer, `Ledger ${index}.${number}`)),
  )

  return {
    acknowledged: () => acknowledged,
    unknown: () => unknown,
    grows(by = 20, withinMs = 30_000) {
      const goal = acknowledged + by
      return until(`${by} more acknowledged writes`, () => acknowledged >= goal, withinMs)
    },
    async stop() {
      isStopping = true
      await Promise.all(running)
    },
    async check(database) {
      expect(wrong, 'answers that are neither success nor a fault').toEqual([])
      await relayed(database)
      await assertNothingLost(database, assets)
      await assertSums(database, writers)
    },
  }
}

async function relayed(database: pg.Client): Promise<void> {
  await until('the relay has emptied the outbox', async () => {
    const { rows } = await database.query('select count(*)::int as n from outbox')
    return rows[0].n === 0
  })
}

async function assertNothingLost(database: pg.Client, assets: Map<string, StoredRows>): Promise<void> {
  const { rows } = await database.query(
    `select a.id, c.usage_count as uses,
       (select count(*)::int from event e where e.organization_id = a.organization_id
          and e.name = 'ai-asset.created' and e.data ->> 'assetId' = a.id) as announced,
       (select coalesce(jsonb_object_agg(r.person_id, r.positive), '{}') from asset_reaction r
         where r.organization_id = a.organization_id and r.asset_id = a.id) as thumbs
     from asset a join asset_counter c on c.organization_id = a.organization_id and c.asset_id = a.id
     where a.id = any($1)`,
    [[...assets.keys()]],
  )
  const found = new Map(rows.map(row => [row.id, row]))
  const lost: string[] = []
  for (const [id, stored] of assets) {
    const row = found.get(id)
    if (!row) lost.push(`asset ${id}`)
    else {
      if (row.announced !== 1) lost.push(`asset ${id} was announced ${row.announced} times`)
      if (row.uses < stored.uses) lost.push(`${stored.uses - row.uses} uses of ${id}`)
      if (row.uses > stored.uses + stored.unknownUses) lost.push(`${id} was counted too often`)
      for (const [personId, isUp] of stored.thumbs)
        if (row.thumbs[personId] !== isUp) lost.push(`thumbs of ${id}`)
    }
  }
  expect(lost, 'acknowledged and then lost').toEqual([])
}

/** Every counter equals the rows it counts, and numbers have no gap. */
async function assertSums(database: pg.Client, writers: Writer[]): Promise<void> {
  const { rows: counters } = await database.query(
    `select c.asset_id from asset_counter c
     left join (select organization_id, asset_id, count(*) as n from asset_use group by 1, 2) u using (organization_id, asset_id)
     left join (select organization_id, asset_id, count(*) filter (where positive) as up,
       count(*) filter (where not positive) as down from asset_reaction group by 1, 2) r using (organization_id, asset_id)
     where c.usage_count <> coalesce(u.n, 0) or c.thumbs_up <> coalesce(r.up, 0) or c.thumbs_down <> coalesce(r.down, 0)`,
  )
  expect(counters, 'assets whose counters do not equal their rows').toEqual([])
  for (const { personId, client } of writers) {
    const { rows: assets } = await database.query(
      'select count(*)::int as n from asset where author_id = $1 and listed',
      [personId],
    )
    const { total } = await client.call(listAssets, { query: { authorId: personId, limit: 1 } })
    expect(total, `what lists tell of the assets of ${personId}`).toBe(assets[0].n)
  }
  for (const table of ['event', 'audit']) {
    const { rows: gaps } = await database.query(
      `select organization_id from ${table} group by organization_id having max(seq) <> count(*)`,
    )
    expect(gaps, `organizations with a gap in ${table}`).toEqual([])
  }
}
