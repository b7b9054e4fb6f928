import type { leadFields, Temperature } from '#contract/crm/shapes.ts'
import { foldedName } from '#platform/fold.ts'
import type { Caller } from '#platform/http/caller.ts'
import { firstOf } from '#platform/required.ts'
import type { Cipher } from '#platform/security/cipher.ts'
import { emailHashes } from '../email.ts'
import { toE164 } from '../phone.ts'
import { fullName, mergeText, searchText } from '../text-fields.ts'
import { mayReadNotes, mayReadScoring } from './lead.json.ts'
import type { LeadRow } from './lead.row.ts'
import { encryptNotes, notesReader } from './notes.ts'

/** The fields of a lead in a request; null clears a field. */
export type LeadInput = {
  [Name in Exclude<keyof typeof leadFields, 'score' | 'temperature'>]?: string | null
} & { score?: number | null; temperature?: Temperature | null }

/** Separates the fields that the caller may write from the names of the others (LEAD-11). */
export function splitPermittedFields(
  caller: Caller,
  input: LeadInput,
): { fields: LeadInput; ignoredFields: string[] } {
  const forbidden = [
    ...(mayReadNotes(caller) ? [] : ['notes']),
    ...(mayReadScoring(caller) ? [] : ['score', 'temperature']),
  ]
  const entries = Object.entries(input)
  return {
    fields: Object.fromEntries(entries.filter(([name]) => !forbidden.includes(name))),
    ignoredFields: entries.map(([name]) => name).filter(name => forbidden.includes(name)),
  }
}

export type FieldContext = { cipher: Cipher; organizationId: string; phoneCountry: string }

/** Applies the input to a lead and derives its e-mail hash, E.164 number, search text and sort keys. */
export function withFields(lead: LeadRow, input: LeadInput, context: FieldContext): LeadRow {
  const { cipher, organizationId, phoneCountry } = context
  const next: LeadRow = {
    ...lead,
    email: mergeText(input.email, lead.email),
    phone: mergeText(input.phone, lead.phone),
    first_name: mergeText(input.firstName, lead.first_name),
    last_name: mergeText(input.lastName, lead.last_name),
    company: mergeText(input.company, lead.company),
    source: mergeText(input.source, lead.source),
    stage: mergeText(input.stage, lead.stage),
    assignee_id: input.assigneeId === undefined ? lead.assignee_id : input.assigneeId,
    score: input.score === undefined ? lead.score : input.score,
    temperature: input.temperature === undefined ? lead.temperature : input.temperature,
  }
  if (next.email !== lead.email)
    next.email_hash = next.email === null ? null : firstOf(emailHashes(cipher, organizationId, next.email))
  if (next.phone !== lead.phone)
    next.phone_e164 = next.phone === null ? null : toE164(next.phone, phoneCountry)
  next.search = searchText(fullName(next), next.company, next.email)
  next.last_name_folded = foldedName(next.last_name ?? '')
  next.company_folded = foldedName(next.company ?? '')
  if (input.notes !== undefined) next.notes = nextNotes(lead, input.notes || null, context)
  return next
}

/** Encryption is randomized: equal notes keep their ciphertext, so that they do not count as a change. */
function nextNotes(
  lead: LeadRow,
  input: string | null,
  { cipher, organizationId }: FieldContext,
): string | null {
  if (input === null) return null
  if (notesReader(cipher, organizationId)(lead) === input) return lead.notes
  return encryptNotes(cipher, organizationId, lead.id, input)
}

/** A lead without values. */
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
