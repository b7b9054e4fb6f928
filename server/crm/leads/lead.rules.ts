import type { LeadStatus } from '#contract/crm/shapes.ts'
import { msOf } from '#platform/clock.ts'
import { fail } from '#platform/fail.ts'
import { momentOfChange } from './clock/lead-clock.sql.ts'
import type { LeadRow } from './lead.row.ts'

/** Refuses LEAD_ALREADY_CONVERTED: a converted lead can no longer change (LEAD-17). */
export function assertNotConverted({ status }: Pick<LeadRow, 'status'>): void {
  if (status === 'WON') fail('LEAD_ALREADY_CONVERTED')
}

/** Only a new lead can be qualified (LEAD-20). */
export function assertQualifiable(lead: Pick<LeadRow, 'status'>): void {
  assertNotConverted(lead)
  if (lead.status === 'LOST') fail('LEAD_ALREADY_LOST')
  if (lead.status !== 'NEW') fail('LEAD_ALREADY_QUALIFIED')
}

/** Only an open lead can be disqualified. The error for a lost lead depends on how it was lost. */
export function assertDisqualifiable(lead: Pick<LeadRow, 'status' | 'lost_by'>): void {
  assertNotConverted(lead)
  if (lead.status !== 'LOST') return
  fail(lead.lost_by === 'TEAM' ? 'LEAD_ALREADY_LOST' : 'LEAD_ALREADY_DISQUALIFIED')
}

/** Refuses LEAD_UPDATE_CONFLICT if the lead has changed since the expected time. */
export function assertUnchangedSince(lead: Pick<LeadRow, 'updated_at'>, expected: string | undefined): void {
  if (expected !== undefined && msOf(expected) !== msOf(lead.updated_at))
    fail('LEAD_UPDATE_CONFLICT', { updatedAt: lead.updated_at })
}

/** Refuses a lead that has neither an e-mail nor a telephone number (LEAD-5). */
export function assertReachable({ email, phone }: { email?: string | null; phone?: string | null }): void {
  if (!email && !phone)
    fail('VALIDATION_ERROR', {
      details: [{ path: 'email', code: 'required', message: 'or phone is required' }],
    })
}

const allowedMoves: Record<LeadStatus, readonly LeadStatus[]> = {
  NEW: ['CONTACTED', 'LOST'],
  CONTACTED: ['NEW', 'NEGOTIATING', 'LOST'],
  QUALIFIED: ['NEGOTIATING', 'LOST'],
  NEGOTIATING: ['CONTACTED', 'QUALIFIED', 'LOST'],
  LOST: ['NEW'],
  WON: [],
}
/** Whether the team may move a lead between two statuses. */
export function mayMove(from: LeadStatus, to: LeadStatus): boolean {
  return allowedMoves[from].includes(to)
}

/** Sets the status of a lead and the columns that depend on it. */
export function withStatus(lead: LeadRow, status: LeadStatus, lostBy: LeadRow['lost_by'] = null): LeadRow {
  return {
    ...lead,
    status,
    lost_by: status === 'LOST' ? lostBy : null,
    lost_at: status === 'LOST' ? momentOfChange : lead.lost_at,
    qualified_at: status === 'QUALIFIED' && lead.qualified_at === null ? momentOfChange : lead.qualified_at,
    converted_at: status === 'WON' ? momentOfChange : lead.converted_at,
  }
}
