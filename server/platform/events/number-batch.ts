import { type EventName, events as promised } from '#contract/events.ts'
import { type AuditContent, chainHash } from './chain.ts'
import { recipientKey, topicOf } from './emit.ts'
import type { OutboxRow, PendingEvent, PlacedBatch } from './relay.sql.ts'

type Head = { organizationId: string; eventSeq: number; auditSeq: number; auditHash: string }

/** An event with its place, as the areas are handed it. */
export type NumberedEvent = Pick<PendingEvent, 'id' | 'name' | 'actorId' | 'data' | 'about'> & {
  organizationId: string
  seq: number
  at: string
}

/** What one batch of the outbox becomes. */
export type NumberedBatch = {
  /** How far each organization and shared room is now. */
  heads: Head[]
  events: PlacedBatch[]
  /** With the names of their columns. */
  audit: Record<string, unknown>[]
  /** The events that are told to applications. */
  forApplications: NumberedEvent[]
}

/**
 * Gives each event the next number of its organization or shared room and each audit entry that of its
 * organization, in the order of the rows, and links the audit entries. Pure: the same rows always give the same result.
 */
export function numberBatch(waiting: readonly OutboxRow[]): NumberedBatch {
  const heads = new Map<string, Head>()
  const events: PlacedBatch[] = []
  const audit: Record<string, unknown>[] = []
  const forApplications: NumberedEvent[] = []
  function headOf(organizationId: string, begin: () => Omit<Head, 'organizationId'>): Head {
    const head = heads.get(organizationId) ?? { organizationId, ...begin() }
    heads.set(organizationId, head)
    return head
  }
  const sharedSeqs = waiting[0]?.sharedSeqs
  for (const [index, row] of waiting.entries()) {
    const { organizationId, at } = row
    const own = headOf(organizationId, () => ({
      eventSeq: row.eventSeq ?? 0,
      auditSeq: row.auditSeq ?? 0,
      auditHash: row.auditHash ?? '',
    }))
    for (const [position, said] of (row.events ?? []).entries()) {
      const room = topicOf(said.name, organizationId)
      const isShared = room !== organizationId
      // nothing but events happens in a shared room
      const begin = () => ({ eventSeq: sharedSeqs?.[room] ?? 0, auditSeq: 0, auditHash: '' })
      const head = isShared ? headOf(room, begin) : own
      head.eventSeq++
      events.push({
        organizationId: room,
        seq: head.eventSeq,
        row: index,
        position,
        isNameless: isShared,
        heardBy: said.to ? said.to.map(recipientKey) : null,
      })
      if (isForApplications(said.name))
        forApplications.push({ ...said, organizationId, seq: head.eventSeq, at })
    }
    if (row.audit) {
      own.auditSeq++
      const content: AuditContent = { organizationId, seq: own.auditSeq, id: row.id, ...row.audit, at }
      own.auditHash = chainHash(content, own.auditHash)
      audit.push(auditColumns(content, own.auditHash))
    }
  }
  return { heads: [...heads.values()], events, audit, forApplications }
}

function isForApplications(name: string): boolean {
  return promised[name as EventName]?.audience === 'applications'
}

function auditColumns(
  { organizationId, actorId, requestId, ...same }: AuditContent,
  hash: string,
): Record<string, unknown> {
  return { ...same, organization_id: organizationId, actor_id: actorId, request_id: requestId, hash }
}
