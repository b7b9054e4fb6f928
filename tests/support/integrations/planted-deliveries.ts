import { firstId, newId } from '#platform/ids.ts'
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
  await sql(
    `insert into webhook_delivery (organization_id, id, application_id, event_id, event, subject, body, emitted_at, status,
       attempts, outcome, last_status, finished_at, first_started_at, first_record)
     select $1, g.id, $2, 'event-' || g.id, $4, '{}', $5, to_timestamp($6 / 1000.0 + n), $7, $8, $9, $10,
       to_timestamp($6 / 1000.0 + n + 76), to_timestamp($6 / 1000.0 + n), $11
     from unnest($3::text[]) with ordinality g (id, n)`,
    [
      organizationId,
      applicationId,
      ids,
      event,
      JSON.stringify({
        event,
        timestamp: new Date(fromMs).toISOString(),
        data: { leadId: 'cmhz3k8q1x7v2b5n9m4d6f8gh' },
        meta: { schemaVersion: '2026-11' },
      }),
      fromMs,
      status,
      hasArrived ? 1 : 5,
      hasArrived ? 'DELIVERED' : 'HTTP_STATUS',
      hasArrived ? 204 : 503,
      JSON.stringify(record),
    ],
  )
  if (!hasArrived) await plantLaterAttempts({ sql }, organizationId, ids, fromMs, record)
  return ids
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
    await sql(
      `insert into webhook_attempt (organization_id, delivery_id, n, started_at, record)
       select $1, g.id, $3, to_timestamp($4 / 1000.0 + n + $5), $6
       from unnest($2::text[]) with ordinality g (id, n)`,
      [organizationId, ids, index + 2, fromMs, seconds, JSON.stringify(index === 1 ? timeout : record)],
    )
}

function phasesOf(firstByte: number) {
  return { dns: 2, connect: 8, tls: 21, firstByte }
}
