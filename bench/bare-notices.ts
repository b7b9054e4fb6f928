import { fewestShards, shardOf } from '#server/integrations/webhooks/shards/shard.ts'
import type { RecordedStep, RecordedValue, Recording } from './recording.ts'

// ordered by time, far above the numbers of the relay in the same organization
const text = `
  with n as materialized (
    select 1000 * ((extract(epoch from clock_timestamp()) * 1e6)::bigint % 1e11::bigint) + (random() * 990)::bigint as seq),
  e as (
    insert into event (organization_id, seq, id, name, actor_id, data, at, about)
    select $1, n.seq + o, i, name, $2, $5::jsonb, now(), case when o = 2 then $5::jsonb end
    from n, unnest($3::text[], '{chat.message.created,CHAT_MESSAGE_CREATED}'::text[]) with ordinality g (i, name, o)),
  a as (
    insert into audit (organization_id, seq, id, actor_id, auth, ip, client, request_id, operation, subject, changed, at, hash)
    select $1, n.seq, $4, $2, 'session', '127.0.0.1', '', $4, 'POST /api/chat/channels/:id/messages', $6, '{content}', now(), $9
    from n),
  r as (select * from unnest($7::text[], $8::text[], $10::smallint[]) r (id, application_id, shard)),
  d as (
    insert into webhook_delivery (organization_id, id, application_id, event_id, event_seq, event, subject, body, emitted_at, status)
    select $1, r.id, r.application_id, ($3::text[])[2], n.seq + 2, 'CHAT_MESSAGE_CREATED', $5::jsonb, $11, now(), 'PENDING'
    from n, r)
  insert into webhook_new_range (shard, application_id, first_id, last_id, organization_key, written_at)
  select r.shard, r.application_id, r.id, r.id, $1, clock_timestamp() from r`

const made = (key: string): RecordedValue => ({ pieces: [{ from: 'new', key }] })
const is = (value: unknown): RecordedValue => ({ is: value })

/**
 * The writes of posting a message, as a simple program would make them in one transaction: events, audit row,
 * deliveries and their queue, where the product leaves a row for the relay.
 */
export function withNotices(
  recording: Recording,
  {
    id: organizationId,
    applicationIds,
    owner,
  }: {
    id: string
    applicationIds: readonly string[]
    owner: { id: string }
  },
): Recording {
  const data = { messageId: applicationIds[0], channelId: applicationIds[0], parentMessageId: null }
  const app = { id: applicationIds[0], slug: applicationIds[0] }
  const body = { event: 'CHAT_MESSAGE_CREATED', timestamp: new Date(0).toISOString(), app, data, meta: {} }
  const values: RecordedValue[] = [
    is(organizationId),
    is(owner.id),
    { items: [made('frame'), made('notice')] },
    made('audit'),
    is(JSON.stringify(data)),
    made('subject'),
    { items: applicationIds.map(id => made(`to ${id}`)) },
    is(applicationIds),
    is('0'.repeat(64)),
    is(applicationIds.map(id => shardOf(id, fewestShards))),
    is(JSON.stringify(body)),
  ]
  const written: RecordedStep = { name: 'notices', text, values }
  return {
    ...recording,
    variants: recording.variants.map(steps =>
      steps.map(step => (step.text.includes('insert into outbox') ? written : step)),
    ),
  }
}
