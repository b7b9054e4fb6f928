import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Database } from '#platform/data/database.ts'
import { crossTenantSql } from '#platform/data/statement.ts'
import { recordOutbox } from '#platform/events/audit.ts'
import { type AuditRow, verifyChain } from '#platform/events/chain.ts'
import type { Signal } from '#platform/events/signal.ts'
import { newId } from '#platform/ids.ts'
import { defined, itemAt } from './elements.ts'

type WrittenEvent = { seq: number; n: number; writer: number }
const storedEvents = crossTenantSql<WrittenEvent, { organizationId: string }>(
  'test',
  `select seq, (data->>'n')::int as n, (data->>'writer')::int as writer from event where organization_id = $organizationId order by seq`,
)
const audit = crossTenantSql<AuditRow, { organizationId: string }>(
  'test',
  `select organization_id as "organizationId", seq, id, actor_id as "actorId", auth, ip, client, request_id as "requestId",
     operation, subject, changed, at, hash from audit where organization_id = $organizationId order by seq`,
)
const left = crossTenantSql<{ n: number }>('test', 'select count(*)::int as n from outbox')

const sharedTopic = 'marketplace'

/** How many events each organization, and the shared topic, got. */
export type Emitted = ReadonlyMap<string, number>

/**
 * Writers that commit one event, one event of the shared topic and one audit entry after the other until they are stopped. Each writes
 * for the organizations in turn, beginning with another one.
 */
export function startWriters(
  database: Database,
  signal: Pick<Signal, 'changed'>,
  { organizations, writers }: { organizations: readonly string[]; writers: number },
): { stop(): Promise<Emitted> } {
  const stop = new AbortController()
  const emitted = new Map<string, number>([...organizations, sharedTopic].map(id => [id, 0]))
  const count = (topic: string) => emitted.set(topic, defined(emitted.get(topic)) + 1)
  const caller = { auth: 'session', personId: 'p', applicationId: null } as const
  const origin = { requestId: 'r', ip: '', client: '' }
  const all = Array.from({ length: writers }, async (_, writer) => {
    for (let n = 1; !stop.signal.aborted; n++) {
      const organizationId = itemAt(organizations, (writer + n) % organizations.length)
      await database.transact(
        organizationId,
        async tx => {
          for (const name of ['ai-asset.created', 'ai-marketplace.unfeatured']) {
            const data = { assetId: 'a', slug: 's', entryId: 'e', n, writer }
            tx.pending.events.push({ id: newId(), name, actorId: null, data })
          }
        },
        tx => recordOutbox(tx, caller, origin, 'POST /x', {}),
      )
      count(organizationId)
      count(sharedTopic)
      signal.changed()
      await sleep(1)
    }
  })
  return {
    async stop() {
      stop.abort()
      await Promise.all(all)
      return emitted
    },
  }
}

/** Waits for the relay; then each event has a number, once and without gaps, those of a writer in order, and each chain is whole. */
export async function expectWhole({ crossTenant }: Database, emitted: Emitted): Promise<void> {
  await expect.poll(async () => (await crossTenant.one(left)).n, { timeout: 10_000 }).toBe(0)
  for (const [organizationId, count] of emitted) {
    const events = await crossTenant.rows(storedEvents, { organizationId })
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: count }, (_, index) => index + 1))
    for (const own of Map.groupBy(events, ({ writer }) => writer).values()) {
      const numbers = own.map(({ n }) => n)
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
    }
    if (organizationId === sharedTopic) continue
    expect(verifyChain(await crossTenant.rows(audit, { organizationId }))).toMatchObject({
      isWhole: true,
      end: { seq: count },
    })
  }
}
