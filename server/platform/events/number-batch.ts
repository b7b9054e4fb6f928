import { type EventName, events as eventDeclarations } from '#contract/events.ts'
import { type AuditContent, chainHash } from './chain.ts'
import { recipientKey, topicOf } from './emit.ts'
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
  /** The new positions of the organizations and shared topics. */
  heads: Head[]
  events: EventPosition[]
  /** Keyed by column names. */
  audit: Record<string, unknown>[]
  /** The events for applications. */
  forApplications: NumberedEvent[]
}

/**
 * Numbers each event in its organization or shared topic and each audit entry in its organization, in the
 * order of the rows, and chains the audit entries. Pure: the same rows give the same result.
 */
export function numberBatch(outboxRows: readonly OutboxRow[]): NumberedBatch {
  const heads = new Map<string, Head>()
  const events: EventPosition[] = []
  const audit: Record<string, unknown>[] = []
  const forApplications: NumberedEvent[] = []
  function headOf(organizationId: string, initialHead: () => Omit<Head, 'organizationId'>): Head {
    const head = heads.get(organizationId) ?? { organizationId, ...initialHead() }
    heads.set(organizationId, head)
    return head
  }
  const sharedSeqs = outboxRows[0]?.sharedSeqs
  for (const [index, row] of outboxRows.entries()) {
    const { organizationId, at } = row
    const ownHead = headOf(organizationId, () => ({
      eventSeq: row.eventSeq ?? 0,
      auditSeq: row.auditSeq ?? 0,
      auditHash: row.auditHash ?? '',
    }))
    for (const [position, event] of (row.events ?? []).entries()) {
      const topic = topicOf(event.name, organizationId)
      const isShared = topic !== organizationId
      // a shared topic has events only, and no audit log
      const initialHead = () => ({ eventSeq: sharedSeqs?.[topic] ?? 0, auditSeq: 0, auditHash: '' })
      const head = isShared ? headOf(topic, initialHead) : ownHead
      head.eventSeq++
      events.push({
        organizationId: topic,
        seq: head.eventSeq,
        row: index,
        position,
        isAnonymous: isShared,
        recipients: event.to ? event.to.map(recipientKey) : null,
      })
      if (isForApplications(event.name))
        forApplications.push({ ...event, organizationId, seq: head.eventSeq, at })
    }
    if (row.audit) {
      ownHead.auditSeq++
      const content: AuditContent = { organizationId, seq: ownHead.auditSeq, id: row.id, ...row.audit, at }
      ownHead.auditHash = chainHash(content, ownHead.auditHash)
      audit.push(auditColumns(content, ownHead.auditHash))
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
