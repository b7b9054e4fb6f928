import type { Lead } from './lead.ts'

/** The fields that one action changes on one or many leads. */
export type ChangedField = 'status' | 'assigneeId' | 'temperature'
/** The dialog that is open, and the leads that it is about. */
export type OpenDialog =
  | { kind: 'none' }
  | { kind: 'create' }
  | { kind: 'edit' | 'score' | 'convert' | 'disqualify' | 'erase'; lead: Lead }
  | { kind: 'change'; field: ChangedField; leads: readonly Lead[] }
