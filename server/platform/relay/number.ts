import { type AuditContent, chainHash } from './chain.ts'
import type { Waiting } from './store.ts'

type Head = { organizationId: string; eventSeq: number; auditSeq: number; auditHash: string }

/** What one batch of the outbox becomes. The rows carry the names of their columns. */
export type Numbered = {
  /** How far each organization is now. */
  heads: Head[]
  events: Record<string, unknown>[]
  audit: Record<string, unknown>[]
}

/**
 * Gives each event and each audit entry the next number of its organization, in the order of the rows, and
 * links the audit entries. Pure: the same rows always give the same result.
 */
export function numberBatch(waiting: readonly Waiting[]): Numbered {
  const heads = new Map<string, Head>()
  const events: Record<string, unknown>[] = []
  const audit: Record<string, unknown>[] = []
  for (const row of waiting) {
    const { organizationId, at } = row
    let head = heads.get(organizationId)
    if (!head) {
      head = { organizationId, eventSeq: row.eventSeq, auditSeq: row.auditSeq, auditHash: row.auditHash }
      heads.set(organizationId, head)
    }
    for (const { id, name, actorId, data } of row.events ?? []) {
      head.eventSeq++
      events.push({
        organization_id: organizationId,
        seq: head.eventSeq,
        id,
        name,
        actor_id: actorId,
        data,
        at,
      })
    }
    if (row.audit) {
      head.auditSeq++
      const content: AuditContent = { organizationId, seq: head.auditSeq, id: row.id, ...row.audit, at }
      head.auditHash = chainHash(content, head.auditHash)
      audit.push(auditColumns(content, head.auditHash))
    }
  }
  return { heads: [...heads.values()], events, audit }
}

function auditColumns(
  { organizationId, actorId, requestId, ...same }: AuditContent,
  hash: string,
): Record<string, unknown> {
  return { ...same, organization_id: organizationId, actor_id: actorId, request_id: requestId, hash }
}
