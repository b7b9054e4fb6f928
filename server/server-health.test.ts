import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { listOperatedMails, readHealth } from '#contract/identity/health.ts'
import { limits } from '#contract/limits.ts'
import { newId } from '#platform/ids.ts'
import { insertMail } from '#platform/jobs/mail-queue.sql.ts'
import { runRelays } from '#server/jobs.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { insertRows } from '#tests/support/rows.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
let operator: Person
beforeAll(async () => {
  server = await startTestServer()
  operator = await server.operator()
})
afterAll(() => server.close())

test('shows queues, jobs, disks and the database', async () => {
  await expect.poll(async () => (await operator.call(readHealth)).jobs.length).toBeGreaterThanOrEqual(10)
  const health = await operator.call(readHealth)
  expect(health).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    relay: { quarantined: 0 },
    webhooks: { endpointsBehind: 0, pausedEndpoints: 0, scheduledDeliveries: 0 },
    mails: { queued: 0, oldestAt: null, failing: 0, refused: 0 },
    payments: { stuckCharges: 0, stuckRefunds: 0 },
  })
  expect(health.jobs.map(({ name }) => name)).toContain('send mails')
  expect(health.disks.map(({ folder }) => folder)).toEqual(['DATA', 'FILES'])
  for (const { freeBytes, totalBytes } of health.disks) {
    expect(freeBytes).toBeGreaterThan(0)
    expect(totalBytes).toBeGreaterThanOrEqual(freeBytes)
  }
  expect(health.database.bytes).toBeGreaterThan(1_000_000)
  expect(health.database.connections.map(({ name }) => name)).toContain('patio api')
})

test('shows an outbox that nobody processes, and rows in quarantine', async () => {
  const { id } = await server.organization()
  await insertRows(server, 'outbox', [{ organization_id: id, id: 'held', created_at: 'infinity' }])
  expect((await operator.call(readHealth)).relay.quarantined).toBe(1)
  await server.sql(`delete from outbox where id = 'held'`)
})

test('shows the leases of the relay, which a command shows and changes', async () => {
  const printed = vi.spyOn(process.stdout, 'write').mockImplementation(() => true)
  const lines = () => printed.mock.calls.splice(0).join('').trim().split('\n')
  const relay = async () => (await operator.call(readHealth)).relay
  try {
    await expect.poll(relay).toMatchObject({ leases: 1, freeLeases: 0 })
    expect(await runRelays(server.config, ['3'])).toBe(0)
    expect(lines()).toEqual([
      '3 leases of the outbox relay:',
      ...[1, 2, 3].map(number => expect.stringMatching(`^  relay ${number} of 3 +(free|patio signal .+)$`)),
    ])
    await expect.poll(relay, { timeout: 5_000 }).toMatchObject({ leases: 3, freeLeases: 0 })
    await server.sql(
      `update relay_lease set expires_at = now() - interval '1 second' where name = 'relay 2 of 3'`,
    )
    expect(await relay()).toMatchObject({ leases: 3, freeLeases: 1 })
    for (const wrong of [['0'], ['65'], ['1.5'], ['many'], ['1', '2']])
      await expect(runRelays(server.config, wrong)).rejects.toThrow('Usage: relays [count]')
    expect(await runRelays(server.config, ['1'])).toBe(0)
    await expect.poll(relay, { timeout: 5_000 }).toMatchObject({ leases: 1, freeLeases: 0 })
    lines()
    await runRelays(server.config, [])
    expect(lines()).toEqual([
      '1 lease of the outbox relay:',
      expect.stringMatching(/^ {2}relay {10}patio signal .+$/),
    ])
  } finally {
    printed.mockRestore()
  }
})

test('lists mails that wait, and mails that were given up, without what they say', async () => {
  const { id: organizationId } = await server.organization()
  const id = newId()
  const data = { secret: 'sealed', to: 'sara@vitrina.example' }
  await server.api.services.database.transact(organizationId, tx =>
    insertMail(tx, { id, kind: 'of-no-area', data, attempts: 0 }),
  )
  const listed = async () => {
    const { items } = await operator.call(listOperatedMails)
    return items.find(mail => mail.id === id)
  }
  const base = { id, organizationId, kind: 'of-no-area', recipient: null, error: expect.any(String) }
  await expect.poll(listed).toMatchObject({ ...base, state: 'RETRYING', attempts: 1, refusedAt: null })
  expect((await operator.call(readHealth)).mails).toMatchObject({ queued: 1, failing: 1, refused: 0 })

  await server.sql('update outgoing_mail set attempts = $2, next_at = now() where id = $1', [
    id,
    limits.mailAttempts - 1,
  ])
  await expect.poll(listed).toMatchObject({
    ...base,
    state: 'REFUSED',
    attempts: limits.mailAttempts,
    nextAt: null,
    refusedAt: expect.any(String),
  })
  expect((await operator.call(readHealth)).mails).toMatchObject({ queued: 0, failing: 0, refused: 1 })
  const found = async (query: object) => {
    const { items, total } = await operator.call(listOperatedMails, { query })
    return [items.map(mail => mail.id), total]
  }
  expect(await found({ kind: 'of-no-area', state: 'REFUSED' })).toEqual([[id], 1])
  expect(await found({ kind: 'signing-link' })).toEqual([[], 0])
  expect(await found({ state: 'QUEUED' })).toEqual([[], 0])
  expect(JSON.stringify(await operator.call(listOperatedMails))).not.toMatch(/sealed|sara/)
  const [stored] = await server.sql('select * from refused_mail where id = $1', [id])
  expect(JSON.stringify(stored)).not.toMatch(/sealed|sara/)
})

test('is for operators only', async () => {
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  const answers = [await owner.send(readHealth), await owner.send(listOperatedMails)]
  for (const answer of answers) expect(refusalOf(answer)).toEqual([403, 'PERMISSION_DENIED'])
})
