import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { newId } from '#platform/ids.ts'

const organizations = 200

/** Writes rows of the outbox, each with an event and an audit entry, for 200 organizations in one commit. */
export async function writeBacklog(sql: pg.Pool, rows: number): Promise<void> {
  const event = { name: 'ai-asset.created', actorId: 'p', data: { assetId: 'a', slug: 's' } }
  const audit = {
    actorId: 'p',
    auth: 'session',
    ip: '127.0.0.1',
    client: 'bench',
    requestId: 'r',
    operation: 'POST /api/studio/assets',
    subject: 'a',
    changed: [],
  }
  await sql.query(
    `insert into outbox (organization_id, id, events, audit)
     select $1 || n % $2, $1 || n, jsonb_build_array($3::jsonb || jsonb_build_object('id', $1 || n)), $4
     from generate_series(1, $5::int) n`,
    [newId(), organizations, JSON.stringify(event), JSON.stringify(audit), rows],
  )
}

/** Resolves when the relay has numbered all rows of the outbox. */
export async function untilRelayed(sql: pg.Pool): Promise<void> {
  for (let tries = 0; tries < 3_000; tries++) {
    if ((await sql.query('select 1 from outbox limit 1')).rows.length === 0) return
    await sleep(10)
  }
  throw new Error('the worker does not come to an end')
}
