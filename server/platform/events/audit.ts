import type { Tx } from '../data/database.ts'
import { sql } from '../data/statement.ts'
import type { Caller, Origin } from '../http/caller.ts'
import { newId } from '../ids.ts'

/** What an operation acted on, which fields it changed, and what it says of itself besides. */
export type AuditSubject = { subject?: string; changed?: readonly string[]; detail?: object }

/** Who an audit row names. */
export type AuditActor = Pick<Caller, 'auth' | 'personId' | 'applicationId'>

const insertOutbox = sql<never, [id: string, events: string | null, audit: string | null]>(`
  insert into outbox (organization_id, id, events, audit) values ($1, $2, $3, $4)
`)

/**
 * Writes what a transaction has to say, its events and its audit entry, as one outbox row. The relay turns it
 * into numbered events and a hash-chained audit row.
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
  return tx.run(insertOutbox, newId(), eventsOf(tx), JSON.stringify(audit))
}

/** Writes the events alone, for work that no caller asked for. */
export async function recordEvents(tx: Tx): Promise<void> {
  const events = eventsOf(tx)
  if (events) await tx.run(insertOutbox, newId(), events, null)
}

function eventsOf(tx: Tx): string | null {
  return tx.pending.events.length > 0 ? JSON.stringify(tx.pending.events) : null
}
