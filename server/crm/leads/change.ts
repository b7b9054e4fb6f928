import { toldFields } from '#contract/crm/events.ts'
import type { ChangeSource } from '#contract/crm/shapes.ts'
import type { Tx } from '#platform/data/database.ts'
import { type EventSubject, emit } from '#platform/events/emit.ts'
import type { Caller } from '#platform/http/caller.ts'
import { newId } from '#platform/ids.ts'
import { now, type Written, writeLeads } from './clock/lead-clock.sql.ts'
import type { LeadRow } from './lead.row.ts'

/** Who changes it. */
type Who = Pick<Caller, 'personId' | 'applicationId'>
/** What is to be done to a lead: how it was, how it is to be, and what is said of that. */
export type Doing = {
  /** null for a new one. */
  before: LeadRow | null
  after: LeadRow
  action: string
  source?: ChangeSource | null | undefined
  reason?: string | null | undefined
}
/** A lead as it was written, with the id of the change. */
export type Done = { before: LeadRow | null; lead: LeadRow; changeId: string; changed: string[] }

/**
 * Writes what was done to leads that this transaction has locked, or that are new, at one moment, and announces it: each
 * change by every event that fits it (LEVT-2). It must be the last thing that the transaction asks the
 * database for; see writeLeads.
 */
export async function changeLeads(tx: Tx, caller: Who, doings: readonly Doing[]): Promise<Done[]> {
  if (doings.length === 0) return []
  const written: Written[] = doings.map(({ before, after, action, source, reason }) => ({
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
  const at = await writeLeads(tx, written)
  return written.map(({ before, after, change }) => {
    const lead = momentsAt(after, at, before === null)
    announce(tx, caller, { before, lead, change })
    return { before, lead, changeId: change.id, changed: [...change.changed] }
  })
}

/** The same for one lead. */
export async function changeLead(tx: Tx, caller: Who, doing: Doing): Promise<Done> {
  return (await changeLeads(tx, caller, [doing]))[0]!
}

function actorOf({ applicationId, personId }: Who): { kind: 'APP' | 'USER'; id: string } {
  return applicationId === null ? { kind: 'USER', id: personId } : { kind: 'APP', id: applicationId }
}

// wire names, in the order of the record
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
const columns = Object.keys(wireNames) as (keyof typeof wireNames)[]

/** The names of the fields in which two states of a lead differ; of a new one those that it has. */
export function changedFields(before: LeadRow | null, after: LeadRow): string[] {
  return columns.filter(name => (before?.[name] ?? null) !== after[name]).map(name => wireNames[name])
}

function momentsAt(lead: LeadRow, at: string, isNew: boolean): LeadRow {
  const moment = (value: string | null) => (value === now ? at : value)
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

type Announced = { before: LeadRow | null; lead: LeadRow; change: Written['change'] }

function announce(tx: Tx, caller: Who, { before, lead, change }: Announced): void {
  const head = {
    leadId: lead.id,
    status: lead.status,
    isConverted: lead.status === 'WON',
    updatedAt: lead.updated_at,
    changeId: change.id,
    actor: { kind: change.actor_kind, id: change.actor_id },
    source: change.source,
  }
  if (before === null) {
    const { created_at: createdAt } = lead
    emit(tx, caller, 'LEAD_CREATED', {
      ...head,
      createdAt,
      hasEmail: lead.email !== null,
      hasPhone: lead.phone !== null,
    })
    return
  }
  if (lead.erased_at !== null) {
    emit(tx, caller, 'LEAD_ERASED', { ...head, erasedAt: lead.erased_at })
    return
  }
  const decided = {
    ...head,
    previousStatus: before.status,
    reason: change.reason,
    recordedAt: lead.updated_at,
  }
  if (before.status !== lead.status) {
    if (lead.status === 'QUALIFIED') emit(tx, caller, 'LEAD_QUALIFIED', decided)
    if (lead.status === 'LOST') emit(tx, caller, 'LEAD_DISQUALIFIED', decided)
    if (lead.status === 'WON')
      emit(tx, caller, 'LEAD_CONVERTED', {
        ...head,
        contactId: lead.contact_id!,
        opportunityId: lead.opportunity_id,
        clientId: lead.client_id!,
        convertedAt: lead.converted_at!,
      })
  }
  announceFields(tx, caller, head, before, lead)
  if (before.score !== lead.score || before.temperature !== lead.temperature)
    emit(tx, caller, 'LEAD_SCORE_UPDATED', {
      ...head,
      score: lead.score,
      temperature: lead.temperature,
      previousScore: before.score,
      previousTemperature: before.temperature,
    })
}

type Head = { leadId: string } & Omit<Parameters<typeof emit<'LEAD_UPDATED'>>[3], 'changes'>
const whole: EventSubject = { part: 'whole' }
const rest: EventSubject = { part: 'rest' }

/** LEAD_UPDATED, with the score for those alone who may know it. */
function announceFields(tx: Tx, caller: Who, head: Head, before: LeadRow, after: LeadRow): void {
  const changes = toldFields
    .map(field => ({ field, from: toldValue(before, field), to: toldValue(after, field) }))
    .filter(({ from, to }) => from !== to)
    .map(change => (change.field === 'email' ? { field: change.field, redacted: true } : change))
  if (changes.length === 0) return
  const open = changes.filter(({ field }) => field !== 'score')
  const isSplit = open.length < changes.length
  emit(tx, caller, 'LEAD_UPDATED', { ...head, changes }, isSplit ? whole : undefined)
  if (isSplit && open.length > 0) emit(tx, caller, 'LEAD_UPDATED', { ...head, changes: open }, rest)
}

function toldValue(lead: LeadRow, field: (typeof toldFields)[number]): string | number | null {
  return field === 'assigneeId' ? lead.assignee_id : lead[field]
}
