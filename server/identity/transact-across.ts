import { type AuthKind, type Operation, pathAt } from '#contract/operation.ts'
import type { CrossTenantTx, Tx } from '#platform/data/db.ts'
import { announceChange } from '#platform/events/announced-changes.ts'
import { type AuditActor, type AuditSubject, recordOutbox } from '#platform/events/audit.ts'
import type { Caller, Origin } from '#platform/http/caller.ts'
import type { OutboxServices } from '#platform/services.ts'

/** Writes the audit row in the organization of `tx`, in the same transaction. */
export type RecordAudit = (tx: Tx, subject: AuditSubject, actor?: AuditActor) => Promise<unknown>
/** The request of a transaction outside the caller's own organization. */
export type RequestContext<Needed = OutboxServices> = { caller?: Caller; origin: Origin; services: Needed }

/**
 * Runs one transaction outside the caller's own organization, for operators and for people who join. `record`
 * writes the audit row of each organization that it changes.
 */
export async function transactAcross<Result>(
  { caller, origin, services }: RequestContext,
  auth: AuthKind,
  contract: Pick<Operation, 'method' | 'path' | 'area' | 'announces'>,
  work: (tx: CrossTenantTx, record: RecordAudit) => Promise<Result>,
): Promise<Result> {
  const operation = `${contract.method} ${pathAt(auth, contract as Operation)}`
  const requestActor: AuditActor = {
    auth,
    personId: caller?.personId ?? '',
    applicationId: caller?.applicationId ?? null,
  }
  const record: RecordAudit = async (tx, subject, actor = requestActor) => {
    announceChange(tx, actor, contract, subject)
    await recordOutbox(tx, actor, origin, operation, subject)
    // the events belong to this organization, and the next row to another one
    tx.pending.events.length = 0
  }
  const result = await services.database.transactCrossTenant(tx => work(tx, record))
  services.wakeUp?.changed()
  return result
}
