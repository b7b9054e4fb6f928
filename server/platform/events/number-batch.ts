import { type EventName, events as eventDeclarations } from '#contract/events.ts'
import { type AuditContent, chainHash } from './chain.ts'
import { recipientKey } from './emit.ts'
import type { EventPosition, OutboxRow, PendingEvent } from './relay.sql.ts'

type Head = { organizationId: string; eventSeq: number; auditSeq: number; auditHash: string }

/** An event with its number, as the areas receive it. */
export type NumberedEvent = Pick<PendingEvent, 'id' | 'name' | 'actorId' | 'data' | 'about'> & {
  organizationId: string
  seq: number
  at: string
}

/** The result of numbering one batch of the outbox. */
export type NumberedBatch = {
  /** The new positions of the topics: organizations and shared topics. */
  heads: Head[]
  events: EventPosition[]
  /** Keyed by column names. */
  audit: Record<string, unknown>[]
  /** The events for applications. */
  forApplications: NumberedEvent[]
}

/**
 * Numbers each event and each audit entry in the topic of its row, in the order of the rows, and chains the audit entries. A shared
 * topic has no audit entries. Pure: the same rows give the same result.
 */
export function numberBatch(outboxRows: readonly OutboxRow[]): NumberedBatch {
  const heads = new Map<string, Head>()
  const events: EventPosition[] = []
  const audit: Record<string, unknown>[] = []
  const forApplications: NumberedEvent[] = []
  for (const [index, row] of outboxRows.entries()) {
    const { organizationId, at } = row
    const head = heads.get(organizationId) ?? {
      organizationId,
      eventSeq: row.eventSeq ?? 0,
      auditSeq: row.auditSeq ?? 0,
      auditHash: row.auditHash ?? '',
    }
    heads.set(organizationId, head)
    for (const [position, event] of (row.events ?? []).entries()) {
      head.eventSeq++
      events.push({
        seq: head.eventSeq,
        row: index,
        position,
        recipients: event.to ? event.to.map(recipientKey) : null,
      })
      if (isForApplications(event.name))
        forApplications.push({ ...event, organizationId, seq: head.eventSeq, at })
    }
    if (row.audit) {
      head.auditSeq++
      const content: AuditContent = { organizationId, seq: head.auditSeq, id: row.id, ...row.audit, at }
      head.auditHash = chainHash(content, head.auditHash)
      audit.push(auditColumns(content, head.auditHash))
    }
  }
  return { heads: [...heads.values()], events, audit, forApplications }
}

function isForApplications(name: string): boolean {
  return eventDeclarations[name as EventName]?.audience === 'applications'
}

function auditColumns(
  { organizationId, actorId, requestId, ...same }: AuditContent,
  hash: string,
): Record<string, unknown> {
  return { ...same, organization_id: organizationId, actor_id: actorId, request_id: requestId, hash }
}
