import { type Lead, type LeadChange, type LeadPart, leadParts } from '#contract/crm/shapes.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { LeadRow, PublicLeadRow } from './lead.row.ts'

/** The optional parts of a lead that a reply includes (LEAD-2). */
export type LeadParts = Readonly<Record<LeadPart, boolean>>
type PartsRequest = {
  caller: Caller
  query: { include?: readonly LeadPart[] }
  setHeader(name: string, value: string): void
}

/**
 * The requested parts that the caller may read: an application needs a scope, a person a permission. The header
 * X-Service-Omitted names the others.
 */
export function readableParts({
  caller,
  query: { include = [] },
  setHeader: heading,
}: PartsRequest): LeadParts {
  const may = { scoring: mayReadScoring(caller), notes: mayReadNotes(caller) }
  const omitted = leadParts.filter(part => include.includes(part) && !may[part])
  if (omitted.length > 0) heading('Omitted', omitted.join(', '))
  return {
    scoring: may.scoring && include.includes('scoring'),
    notes: may.notes && include.includes('notes'),
  }
}
export function mayReadScoring(caller: Caller): boolean {
  return caller.applicationId === null || caller.scopes.has('crm:leads:read:scoring')
}
export function mayReadNotes(caller: Caller): boolean {
  return caller.applicationId === null
    ? caller.permissions.has('CRM_NOTES')
    : caller.scopes.has('crm:leads:read:notes')
}

/** Converts a row to its reply; `notes` decrypts the notes if they are included. */
export function showLead(
  row: PublicLeadRow,
  parts: LeadParts,
  notes: (row: PublicLeadRow) => string | null,
): Lead {
  return {
    id: row.id,
    email: row.email,
    phone: row.phone,
    firstName: row.first_name,
    lastName: row.last_name,
    company: row.company,
    status: row.status,
    stage: row.stage,
    source: row.source,
    assigneeId: row.assignee_id,
    isConverted: row.status === 'WON',
    contactId: row.contact_id,
    opportunityId: row.opportunity_id,
    clientId: row.client_id,
    qualifiedAt: row.qualified_at,
    lostAt: row.lost_at,
    convertedAt: row.converted_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...(parts.scoring && { score: row.score, temperature: row.temperature }),
    ...(parts.notes && { notes: notes(row) }),
  }
}

/** The reply to an action, which may include the score but no notes (LEAD-18). */
export function showLeadChange(lead: LeadRow, changed: boolean, scoring = false): LeadChange {
  return { lead: showLead(lead, { scoring, notes: false }, () => null), changed, recordedAt: lead.updated_at }
}
