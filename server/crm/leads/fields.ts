import type { leadFields, Temperature } from '#contract/crm/shapes.ts'
import { foldedName } from '#platform/fold.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { Cipher } from '#platform/security/cipher.ts'
import { emailHashes } from '../email.ts'
import { fullName, searchable, told } from '../given.ts'
import { dialled } from '../phone.ts'
import { mayReadNotes, mayReadScoring } from './lead.json.ts'
import type { LeadRow } from './lead.row.ts'
import { hideNotes, notesOf } from './notes.ts'

/** What a caller gives of a lead; null takes it away. */
export type GivenLead = {
  [Name in Exclude<keyof typeof leadFields, 'score' | 'temperature'>]?: string | null
} & { score?: number | null; temperature?: Temperature | null }

/** The given fields that the caller may write, and the names of the others (LEAD-11). */
export function permitted(caller: Caller, given: GivenLead): { fields: GivenLead; ignoredFields: string[] } {
  const guarded = [
    ...(mayReadNotes(caller) ? [] : ['notes']),
    ...(mayReadScoring(caller) ? [] : ['score', 'temperature']),
  ]
  const entries = Object.entries(given)
  return {
    fields: Object.fromEntries(entries.filter(([name]) => !guarded.includes(name))),
    ignoredFields: entries.map(([name]) => name).filter(name => guarded.includes(name)),
  }
}

export type Keeping = { cipher: Cipher; organizationId: string; phoneCountry: string }

/** The lead with what is given, and with what follows from that: how it is looked up, dialled and searched for. */
export function withFields(lead: LeadRow, given: GivenLead, keeping: Keeping): LeadRow {
  const { cipher, organizationId, phoneCountry } = keeping
  const next: LeadRow = {
    ...lead,
    email: told(given.email, lead.email),
    phone: told(given.phone, lead.phone),
    first_name: told(given.firstName, lead.first_name),
    last_name: told(given.lastName, lead.last_name),
    company: told(given.company, lead.company),
    source: told(given.source, lead.source),
    stage: told(given.stage, lead.stage),
    assignee_id: given.assigneeId === undefined ? lead.assignee_id : given.assigneeId,
    score: given.score === undefined ? lead.score : given.score,
    temperature: given.temperature === undefined ? lead.temperature : given.temperature,
  }
  if (next.email !== lead.email)
    next.email_hash = next.email === null ? null : emailHashes(cipher, organizationId, next.email)[0]!
  if (next.phone !== lead.phone)
    next.phone_e164 = next.phone === null ? null : dialled(next.phone, phoneCountry)
  next.search = searchable(fullName(next), next.company, next.email)
  next.last_name_folded = foldedName(next.last_name ?? '')
  next.company_folded = foldedName(next.company ?? '')
  if (given.notes !== undefined) next.notes = keptNotes(lead, given.notes || null, keeping)
  return next
}

/** What is hidden looks different each time: notes that are the same stay as they were. */
function keptNotes(lead: LeadRow, given: string | null, { cipher, organizationId }: Keeping): string | null {
  if (given === null) return null
  if (notesOf(cipher, organizationId)(lead) === given) return lead.notes
  return hideNotes(cipher, organizationId, lead.id, given)
}

/** A lead of which nothing is known yet. */
export function blankLead(id: string): LeadRow {
  return {
    id,
    status: 'NEW',
    email: null,
    email_hash: null,
    phone: null,
    phone_e164: null,
    first_name: null,
    last_name: null,
    company: null,
    search: '',
    last_name_folded: '',
    company_folded: '',
    stage: null,
    source: null,
    assignee_id: null,
    score: null,
    temperature: null,
    notes: null,
    lost_by: null,
    contact_id: null,
    client_id: null,
    opportunity_id: null,
    qualified_at: null,
    lost_at: null,
    converted_at: null,
    created_at: '',
    updated_at: '',
    erased_at: null,
  }
}
