import type { listLeads } from '#contract/crm/leads.ts'
import type { LeadStatus } from '#contract/crm/shapes.ts'
import type { listLeadHistory } from '#contract/crm/team.ts'
import type { Reply } from '#contract/route.ts'

/** A lead as lists and details show it. */
export type Lead = Reply<typeof listLeads>['data'][number]
/** A change in the history of a lead. */
export type LeadChange = Reply<typeof listLeadHistory>['items'][number]

/** The title of a lead: the name of the person, else the company, the e-mail or the telephone. */
export function nameOfLead({
  firstName,
  lastName,
  company,
  email,
  phone,
}: Pick<Lead, 'firstName' | 'lastName' | 'company' | 'email' | 'phone'>): string {
  const person = [firstName, lastName].filter(Boolean).join(' ')
  return person || company || email || phone || '–'
}

/** The statuses that a lead can get from the team, in the order of work. A new lead is qualified, not moved. */
const nextStatuses: Readonly<Record<LeadStatus, readonly LeadStatus[]>> = {
  NEW: ['CONTACTED', 'QUALIFIED', 'LOST'],
  CONTACTED: ['NEW', 'NEGOTIATING', 'LOST'],
  QUALIFIED: ['NEGOTIATING', 'LOST'],
  NEGOTIATING: ['CONTACTED', 'QUALIFIED', 'LOST'],
  LOST: ['NEW'],
  WON: [],
}

/** The statuses that at least one of the leads can get: see the table above LEAD-20. */
export function statusesFor(leads: readonly Pick<Lead, 'status'>[]): LeadStatus[] {
  const order = ['NEW', 'CONTACTED', 'QUALIFIED', 'NEGOTIATING', 'LOST'] as const
  return order.filter(status => leads.some(lead => nextStatuses[lead.status].includes(status)))
}

/** The first list without the rows of the second page that were on the first one when it was read. */
export function withoutRepeated<Row extends { id: string }>(rows: readonly Row[]): readonly Row[] {
  const byId = new Map(rows.map(row => [row.id, row]))
  return byId.size === rows.length ? rows : [...byId.values()]
}
