import type { LeadStatus } from '#contract/crm/shapes.ts'
import { msOf } from '#platform/clock.ts'
import { fail } from '#platform/fail.ts'
import { now } from './clock/store.ts'
import type { LeadRow } from './row.ts'

/** Refuses what is converted: nothing of it changes any more. Document 3, States; LEAD_ALREADY_CONVERTED. */
export function assertNotConverted({ status }: Pick<LeadRow, 'status'>): void {
  if (status === 'WON') fail('LEAD_ALREADY_CONVERTED')
}

/** Only a new lead can be qualified. Document 3, Lead status. */
export function assertQualifiable(lead: Pick<LeadRow, 'status'>): void {
  assertNotConverted(lead)
  if (lead.status === 'LOST') fail('LEAD_ALREADY_LOST')
  if (lead.status !== 'NEW') fail('LEAD_ALREADY_QUALIFIED')
}

/** Any lead that is neither converted nor lost. Which refusal a lost one gives depends on how it was lost. */
export function assertDisqualifiable(lead: Pick<LeadRow, 'status' | 'lost_by'>): void {
  assertNotConverted(lead)
  if (lead.status !== 'LOST') return
  fail(lead.lost_by === 'TEAM' ? 'LEAD_ALREADY_LOST' : 'LEAD_ALREADY_DISQUALIFIED')
}

/** Refuses LEAD_UPDATE_CONFLICT when the lead was changed after the moment that its reader knows. */
export function assertUnchangedSince(lead: Pick<LeadRow, 'updated_at'>, expected: string | undefined): void {
  if (expected !== undefined && msOf(expected) !== msOf(lead.updated_at))
    fail('LEAD_UPDATE_CONFLICT', { updatedAt: lead.updated_at })
}

/** Refuses a lead that nobody could be reached by: an e-mail or a telephone number is needed. Document 3, POST /leads. */
export function assertReachable({ email, phone }: { email?: string | null; phone?: string | null }): void {
  if (!email && !phone)
    fail('VALIDATION_ERROR', {
      details: [{ path: 'email', code: 'required', message: 'or phone is needed' }],
    })
}

const moves: Record<LeadStatus, readonly LeadStatus[]> = {
  NEW: ['CONTACTED', 'LOST'],
  CONTACTED: ['NEW', 'NEGOTIATING', 'LOST'],
  QUALIFIED: ['NEGOTIATING', 'LOST'],
  NEGOTIATING: ['CONTACTED', 'QUALIFIED', 'LOST'],
  LOST: ['NEW'],
  WON: [],
}
/** Where the team may take a lead by hand. */
export function mayMove(from: LeadStatus, to: LeadStatus): boolean {
  return moves[from].includes(to)
}

/** The lead with another status, and what goes with that. */
export function withStatus(lead: LeadRow, status: LeadStatus, lostBy: LeadRow['lost_by'] = null): LeadRow {
  return {
    ...lead,
    status,
    lost_by: status === 'LOST' ? lostBy : null,
    lost_at: status === 'LOST' ? now : lead.lost_at,
    qualified_at: status === 'QUALIFIED' && lead.qualified_at === null ? now : lead.qualified_at,
    converted_at: status === 'WON' ? now : lead.converted_at,
  }
}
