import type { Tx } from '../data/db.ts'
import { insertInto } from '../data/insert-into.ts'
import { crossTenantSql, sql } from '../data/statement.ts'
import type { Caller, Origin } from '../http/caller.ts'
import { newId } from '../ids.ts'
import { eventsByTopic } from './emit.ts'

/** The object of an operation, the fields that it changed, and further details. */
export type AuditSubject = { subject?: string; changed?: readonly string[]; detail?: object }

/** The actor of an audit row. */
export type AuditActor = Pick<Caller, 'personId' | 'applicationId'> & {
  /** An identity provider calls no operations, but routes of its own (decision 0038). */
  auth: Caller['auth'] | 'scim'
}

const insertOutbox = sql<never, { id: string; events: string | null; audit: string | null }>(`
  ${insertInto('outbox', 'id, events, audit')}
`)
const insertSharedOutbox = crossTenantSql<never, { topic: string; id: string; events: string }>(
  'events of a shared topic belong to the topic, and name no organization',
  'insert into outbox (organization_id, id, events) values ($topic, $id, $events)',
)

/**
 * Writes the events and the audit entry of a transaction as one outbox row, and the events of each shared topic as one more. The
 * relay turns a row into numbered events and a hash-chained audit row.
 */
export function recordOutbox(
  tx: Tx,
  caller: AuditActor,
  origin: Origin,
  operation: string,
  subject: AuditSubject,
): Promise<unknown> {
  const audit = {
    actorId: caller.applicationId ?? (caller.personId || null),
    auth: caller.auth,
    ip: origin.ip,
    client: origin.client,
    requestId: origin.requestId,
    operation,
    subject: subject.subject ?? null,
    changed: subject.changed ?? [],
    ...(subject.detail && { detail: subject.detail }),
  }
  return insertRows(tx, JSON.stringify(audit))
}

/** Writes only the events, for work without a caller. */
export async function recordEvents(tx: Tx): Promise<void> {
  await insertRows(tx, null)
}

/** Sends its statements at once, so that they arrive before the commit. */
function insertRows(tx: Tx, audit: string | null): Promise<unknown> {
  const byTopic = eventsByTopic(tx.organizationId, tx.pending.events)
  const sent: Promise<unknown>[] = []
  const own = byTopic.get(tx.organizationId)
  if (own || audit !== null)
    sent.push(tx.run(insertOutbox, { id: newId(), events: own ? JSON.stringify(own) : null, audit }))
  for (const [topic, events] of byTopic) {
    if (topic !== tx.organizationId)
      sent.push(tx.run(insertSharedOutbox, { topic, id: newId(), events: JSON.stringify(events) }))
  }
  return Promise.all(sent)
}
