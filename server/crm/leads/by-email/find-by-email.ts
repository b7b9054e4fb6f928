import { findLeadByEmail } from '#contract/crm/leads.ts'
import { limits } from '#contract/limits.ts'
import { monotonicMs, waitUntil } from '#platform/clock.ts'
import { fail } from '#platform/fail.ts'
import { query } from '#platform/http/operation.ts'
import { emailHashes } from '../../email.ts'
import { readableParts, showLead } from '../lead.json.ts'
import { notesReader } from '../notes.ts'
import { leadByEmail } from './lead-by-email.sql.ts'

/** The response time does not reveal whether a lead exists, existed or belongs to another organization (LEAD-44). */
export const findByEmail = query(findLeadByEmail, async ({ db, caller, query, setHeader, services }) => {
  const admittedMs = monotonicMs()
  const { cipher } = services
  const { organizationId } = caller
  const lead = await leadByEmail(db, emailHashes(cipher, organizationId, query.email))
  const parts = readableParts({ caller, query, setHeader })
  const shown = lead && {
    ...showLead(lead, parts, notesReader(cipher, organizationId)),
    matches: lead.matches,
  }
  await waitUntil(nextAfter(admittedMs))
  return shown ?? fail('EMAIL_NOT_INDEXED_LEAD')
})

/** The next multiple of `leadByEmailMs` after a start time. */
function nextAfter(sinceMs: number): number {
  const spans = Math.ceil((monotonicMs() - sinceMs) / limits.leadByEmailMs)
  return sinceMs + Math.max(1, spans) * limits.leadByEmailMs
}
