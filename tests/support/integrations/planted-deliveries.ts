import { firstId, newId } from '#platform/ids.ts'
import { insertMany, insertRows, type SqlRunner } from '../rows.ts'
import type { TestServer } from '../test-server.ts'
import { insertWebhooks } from './applications.ts'

type PlantedOptions = {
  count?: number
  status?: 'DELIVERED' | 'FAILED' | 'CANCELLED' | 'NOT_AUTHORIZED'
  event?: string
  /** The first one; the others follow a second apart. */
  fromMs?: number
  /** The URL of the webhook, if the application has none. */
  url?: string
}

const answer = '{"error":"maintenance","until":"2026-11-22T13:00:00.000Z"}'

/**
 * Inserts deliveries that have ended, each with the attempts that lead there, and a webhook if the application has
 * none. Nothing is sent. Returns their ids, the oldest first.
 */
export async function plantDeliveries(
  { sql }: Pick<TestServer, 'sql'>,
  organizationId: string,
  applicationId: string,
  options: PlantedOptions = {},
): Promise<string[]> {
  const {
    count = 3,
    status = 'FAILED',
    event = 'LEAD_CREATED',
    fromMs = Date.now() - 3_600_000,
    url = 'https://shop.example/hooks/patio',
  } = options
  await insertWebhooks({ sql }, organizationId, [{ applicationId, url, events: [event] }])
  const ids = Array.from({ length: count }, (_, n) => `${firstId(fromMs + n * 1_000)}${newId().slice(9)}`)
  const hasArrived = status === 'DELIVERED'
  const record = hasArrived
    ? { durationMs: 128, status: 204, address: '203.0.113.7', timings: phasesOf(88) }
    : {
        durationMs: 341,
        status: 503,
        outcome: 'HTTP_STATUS',
        answer,
        answerHeaders: { 'content-type': 'application/json', 'retry-after': '3600' },
        address: '203.0.113.7',
        timings: phasesOf(310),
      }
  const at = (n: number, seconds: number) => new Date(fromMs + (n + seconds) * 1_000)
  const body = JSON.stringify({
    event,
    timestamp: new Date(fromMs).toISOString(),
    data: { leadId: 'cmhz3k8q1x7v2b5n9m4d6f8gh' },
    meta: { schemaVersion: '2026-11' },
  })
  await insertDeliveries({ sql }, { id: applicationId, organizationId }, ids, n => ({
    event,
    body,
    emitted_at: at(n, 0),
    status,
    attempts: hasArrived ? 1 : 5,
    outcome: hasArrived ? 'DELIVERED' : 'HTTP_STATUS',
    last_status: hasArrived ? 204 : 503,
    finished_at: at(n, 76),
    first_started_at: at(n, 0),
    first_record: record,
  }))
  if (!hasArrived) await plantLaterAttempts({ sql }, organizationId, ids, fromMs, record)
  return ids
}

/**
 * Inserts deliveries with these ids, without their attempts and without sending them. `columnsOf` makes their status and other
 * columns, of the `n`-th from 1.
 */
export function insertDeliveries(
  server: SqlRunner,
  { id, organizationId }: { id: string; organizationId: string },
  ids: readonly string[],
  columnsOf: (n: number) => object,
): Promise<void> {
  return insertRows(
    server,
    'webhook_delivery',
    ids.map((deliveryId, index) => ({
      organization_id: organizationId,
      id: deliveryId,
      application_id: id,
      event_id: deliveryId,
      ...columnsOf(index + 1),
    })),
  )
}

/** The four attempts after the first one; the third gets no answer. */
async function plantLaterAttempts(
  { sql }: Pick<TestServer, 'sql'>,
  organizationId: string,
  ids: readonly string[],
  fromMs: number,
  record: object,
): Promise<void> {
  const timeout = {
    durationMs: 10_000,
    outcome: 'TIMEOUT',
    timings: phasesOf(9_969),
    error: 'no answer in 10 s',
  }
  for (const [index, seconds] of [5, 15, 45, 85].entries())
    await insertMany({ sql }, 'webhook_attempt', ids.length, n => ({
      organization_id: organizationId,
      delivery_id: ids[n - 1],
      n: index + 2,
      started_at: new Date(fromMs + (n + seconds) * 1_000),
      record: index === 1 ? timeout : record,
    }))
}

function phasesOf(firstByte: number) {
  return { dns: 2, connect: 8, tls: 21, firstByte }
}
