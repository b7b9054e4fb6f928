import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { crossTenantSql } from '#platform/data/statement.ts'
import { newId } from '#platform/ids.ts'
import { crowd } from '#tests/support/crowd.ts'
import { findIn, lastOf, mapAll } from '#tests/support/elements.ts'
import { openStream } from '#tests/support/event-stream.ts'
import { openStreamHarness, range } from '#tests/support/stream-harness.ts'

const stage = openStreamHarness()
const leases = crossTenantSql<{ n: number }, { personId: string }>(
  'test',
  'select count(*)::int as n from stream_lease where person_id = $personId',
)
const expireLeases = crossTenantSql<never, { personId: string }>(
  'test',
  'update stream_lease set expires_at = now() - make_interval(secs => 0.001) where person_id = $personId',
)

it("refuses a person's sixth stream of a kind over two processes, without a race", async () => {
  const [one, two] = [await stage.start(), await stage.start()]
  const personId = newId()
  const opened = await Promise.all(range(1, 12).map(n => stage.stream(n % 2 ? one : two, { personId })))
  expect(opened.map(({ status }) => status).sort()).toEqual([...Array(5).fill(200), ...Array(7).fill(429)])
  const refused = findIn(opened, ({ status }) => status === 429)
  expect(JSON.parse(refused.body)).toMatchObject({
    statusCode: 429,
    errorCode: 'TOO_MANY_STREAMS',
    retryAfterSeconds: 20,
  })
  expect((await stage.stream(two, { personId: newId() })).status).toBe(200)
  expect((await stage.stream(two, { personId, organizationId: 'another' })).status).toBe(200)
  findIn(opened, ({ status }) => status === 200).close()
  await expect.poll(async () => (await stage.stream(two, { personId })).status).toBe(200)
  expect((await stage.stream(one, { personId })).status).toBe(429)
})

it('frees the slots of a dead process when its leases expire', async () => {
  const app = await stage.start()
  const personId = newId()
  for (const n of range(1, 5)) {
    await stage.database.crossTenant.rows(
      crossTenantSql<never, { personId: string; id: string }>(
        'test',
        `insert into stream_lease values ('o1', $personId, 'studio', $id, now() + interval '1 second')`,
      ),
      { personId, id: `dead${n}` },
    )
  }
  expect((await stage.stream(app, { personId })).status).toBe(429)
  await expect.poll(async () => (await stage.stream(app, { personId })).status).toBe(200)
})

it('sends heartbeats, renews its leases, and takes expired ones again', async () => {
  const app = await stage.start({ heartbeatMs: 200 })
  const personId = newId()
  const opened = await stage.stream(app, { personId })
  const beat = await opened.until(({ event }) => event === 'heartbeat')
  expect(beat).toEqual({ event: 'heartbeat', data: { at: expect.any(String) } })
  await expect
    .poll(() => opened.frames.filter(({ event }) => event === 'heartbeat').length)
    .toBeGreaterThan(3)
  await stage.database.crossTenant.rows(expireLeases, { personId })
  const expiry = crossTenantSql<{ left: number }, { personId: string }>(
    'test',
    'select extract(epoch from expires_at - now())::float as left from stream_lease where person_id = $personId',
  )
  await expect
    .poll(async () => (await stage.database.crossTenant.one(expiry, { personId })).left)
    .toBeGreaterThan(40)
  expect(opened.socket.destroyed).toBe(false)
})

it('ends a stream that lost its slot while the database did not answer', async () => {
  const app = await stage.start({ heartbeatMs: 400 })
  const personId = newId()
  const opened = await stage.stream(app, { personId })
  const others = crossTenantSql<never, { personId: string }>(
    'test',
    `with mine as (delete from stream_lease where person_id = $personId)
     insert into stream_lease select 'o1', $personId, 'studio', 'other' || n, now() + interval '1 minute' from generate_series(1, 5) n`,
  )
  await stage.database.crossTenant.rows(others, { personId })
  await opened.ended
})

it('ends a stream when the session or the permission ends, at the heartbeat or on a change', async () => {
  const app = await stage.start({ heartbeatMs: 300 })
  const streams = await mapAll(['g1', 'b1', 'stays'], personId => stage.stream(app, { personId }))
  app.gone.add('g1')
  app.barred.add('b1')
  await Promise.all([streams[0].ended, streams[1].ended])
  expect(streams[2].socket.destroyed).toBe(false)

  const slow = await stage.start()
  const slowStreams = await mapAll(['g2', 'b2', 'stays'], personId =>
    stage.stream(slow, { personId, organizationId: 'o7' }),
  )
  slow.gone.add('g2')
  slow.barred.add('b2')
  slow.hub.recheck('o7', 'g2')
  await slowStreams[0].ended
  expect(slowStreams[1].socket.destroyed).toBe(false)
  slow.hub.recheck('o7', null)
  await slowStreams[1].ended
  expect(slowStreams[2].socket.destroyed).toBe(false)
})

it('checks a stream again that opened during an access change', async () => {
  const app = await stage.start()
  app.gone.add('g3')
  const opened = await stage.stream(app, { personId: 'g3' })
  const startedAt = performance.now()
  await opened.ended
  // long before its first heartbeat
  expect(performance.now() - startedAt).toBeLessThan(5_000 * crowd())
})

it('closes every stream with a retry time, releases its leases, and accepts no more', async () => {
  const app = await stage.start()
  const personId = newId()
  const streams = await Promise.all(range(1, 3).map(() => stage.stream(app, { personId })))
  await app.hub.close()
  for (const opened of streams) {
    await opened.ended
    expect(Number(lastOf(opened.frames).retry)).toBeGreaterThan(0)
  }
  expect((await stage.database.crossTenant.one(leases, { personId })).n).toBe(0)
  expect((await openStream(app.address())).status).toBe(503)
})

it('releases the lease of a client that disconnected before the reply', async () => {
  const app = await stage.start()
  const personId = newId()
  const { pathname, search, port } = new URL(app.address({ personId }))
  for (let n = 0; n < 20; n++) {
    const socket = connect(Number(port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: x\r\n\r\n`)
    await sleep(n % 5)
    socket.resetAndDestroy()
  }
  await expect.poll(async () => (await stage.database.crossTenant.one(leases, { personId })).n).toBe(0)
  expect(app.hub.size()).toBe(0)
})
