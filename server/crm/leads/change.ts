import { announcedFields } from '#contract/crm/lead-events.ts'
import type { ChangeSource } from '#contract/crm/shapes.ts'
import { changedFieldNames } from '#platform/changed-fields.ts'
import type { Tx } from '#platform/data/db.ts'
import { type EventSubject, emit } from '#platform/events/emit.ts'
import type { Caller } from '#platform/http/caller.ts'
import { newId } from '#platform/ids.ts'
import { firstOf, required } from '#platform/required.ts'
import { type LeadWrite, momentOfChange, writeLeads } from './clock/lead-clock.sql.ts'
import type { LeadRow } from './lead.row.ts'

/** The author of a change. */
type LeadActor = Pick<Caller, 'personId' | 'applicationId'>
/** A change of a lead that is not written yet. */
export type PendingLeadChange = {
  /** null for a new lead. */
  before: LeadRow | null
  after: LeadRow
  action: string
  source?: ChangeSource | null | undefined
  reason?: string | null | undefined
}
/** A written lead, with the id of the change. */
export type RecordedLeadChange = {
  before: LeadRow | null
  lead: LeadRow
  changeId: string
  changed: string[]
}

/**
 * Writes changes of new leads, or of leads that this transaction has locked, with one time for all, and emits the events of
 * each change (LEVT-2). It must be the last statement of the transaction; see writeLeads.
 */
export async function changeLeads(
  tx: Tx,
  caller: LeadActor,
  changes: readonly PendingLeadChange[],
): Promise<RecordedLeadChange[]> {
  if (changes.length === 0) return []
  const writes: LeadWrite[] = changes.map(({ before, after, action, source, reason }) => ({
    before,
    after,
    change: {
      id: newId(),
      lead_id: after.id,
      action,
      actor_id: actorOf(caller).id,
      actor_kind: actorOf(caller).kind,
      from_status: before?.status ?? null,
      to_status: after.status,
      changed: changedFields(before, after),
      source: source ?? null,
      reason: reason?.trim() || null,
    },
  }))
  const at = await writeLeads(tx, writes)
  return writes.map(({ before, after, change }) => {
    const lead = withMoments(after, at, before === null)
    emitLeadEvents(tx, caller, { before, lead, change })
    return { before, lead, changeId: change.id, changed: [...change.changed] }
  })
}

/** The same for one lead. */
export async function changeLead(
  tx: Tx,
  caller: LeadActor,
  change: PendingLeadChange,
): Promise<RecordedLeadChange> {
  return firstOf(await changeLeads(tx, caller, [change]))
}

function actorOf({ applicationId, personId }: LeadActor): { kind: 'APP' | 'USER'; id: string } {
  return applicationId === null ? { kind: 'USER', id: personId } : { kind: 'APP', id: applicationId }
}

// API names, in the order of the audit log
const wireNames = {
  email: 'email',
  phone: 'phone',
  first_name: 'firstName',
  last_name: 'lastName',
  company: 'company',
  status: 'status',
  stage: 'stage',
  source: 'source',
  assignee_id: 'assigneeId',
  score: 'score',
  temperature: 'temperature',
  notes: 'notes',
  contact_id: 'contactId',
  client_id: 'clientId',
  opportunity_id: 'opportunityId',
} as const satisfies Partial<Record<keyof LeadRow, string>>

/** The API names of the fields that differ; for a new lead, of the fields with a value. */
export function changedFields(before: LeadRow | null, after: LeadRow): string[] {
  return changedFieldNames(wireNames, before, after)
}

function withMoments(lead: LeadRow, at: string, isNew: boolean): LeadRow {
  const moment = (value: string | null) => (value === momentOfChange ? at : value)
  return {
    ...lead,
    qualified_at: moment(lead.qualified_at),
    lost_at: moment(lead.lost_at),
    converted_at: moment(lead.converted_at),
    erased_at: moment(lead.erased_at),
    created_at: isNew ? at : lead.created_at,
    updated_at: at,
  }
}

type EmittedChange = { before: LeadRow | null; lead: LeadRow; change: LeadWrite['change'] }

function emitLeadEvents(tx: Tx, caller: LeadActor, { before, lead, change }: EmittedChange): void {
  const common = {
    leadId: lead.id,
    status: lead.status,
    isConverted: lead.status === 'WON',
    updatedAt: lead.updated_at,
    changeId: change.id,
    actor: { kind: change.actor_kind, id: change.actor_id },
    source: change.source,
  }
  const emittedBefore = tx.pending.events.length
  if (before === null) {
    const { created_at: createdAt } = lead
    emit(tx, caller, 'LEAD_CREATED', {
      ...common,
      createdAt,
      hasEmail: lead.email !== null,
      hasPhone: lead.phone !== null,
    })
    return
  }
  if (lead.erased_at !== null) {
    emit(tx, caller, 'LEAD_ERASED', { ...common, erasedAt: lead.erased_at })
    return
  }
  const decision = {
    ...common,
    previousStatus: before.status,
    reason: change.reason,
    recordedAt: lead.updated_at,
  }
  if (before.status !== lead.status) {
    if (lead.status === 'QUALIFIED') emit(tx, caller, 'LEAD_QUALIFIED', decision)
    if (lead.status === 'LOST') emit(tx, caller, 'LEAD_DISQUALIFIED', decision)
    if (lead.status === 'WON')
      emit(tx, caller, 'LEAD_CONVERTED', {
        ...common,
        contactId: required(lead.contact_id, 'the contact of a converted lead'),
        opportunityId: lead.opportunity_id,
        clientId: required(lead.client_id, 'the client of a converted lead'),
        convertedAt: required(lead.converted_at, 'the time of a conversion'),
      })
  }
  emitFieldChanges(tx, caller, common, before, lead)
  if (before.score !== lead.score || before.temperature !== lead.temperature)
    emit(tx, caller, 'LEAD_SCORE_UPDATED', {
      ...common,
      score: lead.score,
      temperature: lead.temperature,
      previousScore: before.score,
      previousTemperature: before.temperature,
    })
  // applications do not receive changes of other fields, such as the name
  if (tx.pending.events.length === emittedBefore) emit(tx, caller, 'lead.changed', { ids: [lead.id] })
}

type CommonData = { leadId: string } & Omit<Parameters<typeof emit<'LEAD_UPDATED'>>[3], 'changes'>
const wholePart: EventSubject = { part: 'whole' }
const restPart: EventSubject = { part: 'rest' }

/** Emits LEAD_UPDATED; only subscribers that may read the score receive it. */
function emitFieldChanges(
  tx: Tx,
  caller: LeadActor,
  common: CommonData,
  before: LeadRow,
  after: LeadRow,
): void {
  const changes = announcedFields
    .map(field => ({ field, from: fieldValue(before, field), to: fieldValue(after, field) }))
    .filter(({ from, to }) => from !== to)
    .map(change => (change.field === 'email' ? { field: change.field, redacted: true } : change))
  if (changes.length === 0) return
  const open = changes.filter(({ field }) => field !== 'score')
  const isSplit = open.length < changes.length
  emit(tx, caller, 'LEAD_UPDATED', { ...common, changes }, isSplit ? wholePart : undefined)
  if (isSplit && open.length > 0) emit(tx, caller, 'LEAD_UPDATED', { ...common, changes: open }, restPart)
}

function fieldValue(lead: LeadRow, field: (typeof announcedFields)[number]): string | number | null {
  return field === 'assigneeId' ? lead.assignee_id : lead[field]
}
