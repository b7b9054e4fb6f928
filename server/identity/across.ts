import { type AuthKind, type Operation, pathAt } from '#contract/operation.ts'
import type { Tx, WideTx } from '#platform/data/database.ts'
import { type AuditActor, type AuditSubject, recordOutbox } from '#platform/events/audit.ts'
import type { Caller, Origin } from '#platform/http/caller.ts'
import type { Services } from '#platform/http/operation.ts'

/** Writes the audit row in the organization of `tx`, in the same transaction. */
export type Record = (tx: Tx, subject: AuditSubject, actor?: AuditActor) => Promise<unknown>
type Given = { caller?: Caller; origin: Origin; services: Services }

/**
 * One transaction outside the caller's own organization, for operators and for people who join. Every
 * organization that it touches gets its audit row by `record`.
 */
export async function transactAcross<Result>(
  { caller, origin, services }: Given,
  auth: AuthKind,
  endpoint: Pick<Operation, 'method' | 'path' | 'area'>,
  work: (tx: WideTx, record: Record) => Promise<Result>,
): Promise<Result> {
  const operation = `${endpoint.method} ${pathAt(auth, endpoint as Operation)}`
  const present: AuditActor = {
    auth,
    personId: caller?.personId ?? '',
    applicationId: caller?.applicationId ?? null,
  }
  const record: Record = (tx, subject, actor = present) => recordOutbox(tx, actor, origin, operation, subject)
  const result = await services.database.transactWide(tx => work(tx, record))
  services.wakeUp?.changed()
  return result
}
