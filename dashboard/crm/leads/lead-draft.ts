import type { Temperature } from '#contract/crm/shapes.ts'
import type { Lead } from './lead.ts'

/** The values of the form of a lead; an empty text means no value. */
export type LeadDraft = {
  email: string
  phone: string
  firstName: string
  lastName: string
  company: string
  source: string
  stage: string
  notes: string
  assigneeId: string | null
  score: number | null
  temperature: Temperature | null
}
export type LeadField = keyof LeadDraft

export const leadFields = [
  'email',
  'phone',
  'firstName',
  'lastName',
  'company',
  'source',
  'stage',
  'notes',
  'assigneeId',
  'score',
  'temperature',
] as const satisfies readonly LeadField[]

export const emptyDraft: LeadDraft = {
  email: '',
  phone: '',
  firstName: '',
  lastName: '',
  company: '',
  source: '',
  stage: '',
  notes: '',
  assigneeId: null,
  score: null,
  temperature: null,
}

/** The values of a lead, as the form shows them. */
export function draftOf(lead: Lead): LeadDraft {
  const { email, phone, firstName, lastName, company, source, stage, assigneeId } = lead
  return {
    email: email ?? '',
    phone: phone ?? '',
    firstName: firstName ?? '',
    lastName: lastName ?? '',
    company: company ?? '',
    source: source ?? '',
    stage: stage ?? '',
    notes: lead.notes ?? '',
    assigneeId,
    score: lead.score ?? null,
    temperature: lead.temperature ?? null,
  }
}

const trimmed = (value: LeadDraft[LeadField]) => (typeof value === 'string' ? value.trim() : value)
const isSame = (one: LeadDraft, other: LeadDraft, field: LeadField) =>
  trimmed(one[field]) === trimmed(other[field])

/** The fields that differ between two drafts. */
export function differingFields(one: LeadDraft, other: LeadDraft): LeadField[] {
  return leadFields.filter(field => !isSame(one, other, field))
}

/** Fields of a lead in a request; null clears one. */
type LeadBody = { [Field in LeadField]?: LeadDraft[Field] | null }

/** The body of a request with these fields: an empty text clears the field. */
export function bodyOf(draft: LeadDraft, fields: readonly LeadField[]): LeadBody {
  return Object.fromEntries(
    fields.map(field => {
      const value = trimmed(draft[field])
      return [field, value === '' ? null : value]
    }),
  )
}

/**
 * The form after somebody else saved the lead in the meantime: fields that the person did not touch get the new
 * values. `conflicts` are the fields that both changed, to different values; they keep what the person typed.
 */
export function rebased({ base, mine, theirs }: { base: LeadDraft; mine: LeadDraft; theirs: LeadDraft }): {
  draft: LeadDraft
  changed: LeadField[]
  conflicts: LeadField[]
} {
  const touched = new Set(differingFields(base, mine))
  const changed = differingFields(base, theirs)
  const conflicts = changed.filter(field => touched.has(field) && !isSame(mine, theirs, field))
  const mineAlone = Object.fromEntries([...touched].map(field => [field, mine[field]]))
  return { draft: { ...theirs, ...mineAlone }, changed, conflicts }
}
