import type { Tx } from '../data/db.ts'
import { insertInto } from '../data/insert-into.ts'
import { sql } from '../data/statement.ts'
import type { Caller, Origin } from '../http/caller.ts'
import { newId } from '../ids.ts'

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

/**
 * Writes the events and the audit entry of a transaction as one outbox row. The relay turns it into numbered
 * events and a hash-chained audit row.
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
  return tx.run(insertOutbox, { id: newId(), events: eventsOf(tx), audit: JSON.stringify(audit) })
}

/** Writes only the events, for work without a caller. */
export async function recordEvents(tx: Tx): Promise<void> {
  const events = eventsOf(tx)
  if (events) await tx.run(insertOutbox, { id: newId(), events, audit: null })
}

function eventsOf(tx: Tx): string | null {
  return tx.pending.events.length > 0 ? JSON.stringify(tx.pending.events) : null
}
