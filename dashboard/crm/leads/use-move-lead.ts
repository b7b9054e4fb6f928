import { useQueryClient } from '@tanstack/react-query'
import { qualifyLead } from '#contract/crm/lead-moves.ts'
import { listLeads, searchLeads } from '#contract/crm/leads.ts'
import type { LeadStatus } from '#contract/crm/shapes.ts'
import { moveLead } from '#contract/crm/team.ts'
import { useOrganization } from '../../data/organization.tsx'
import { keyOf, readAgain, useAction } from '../../data/read.ts'
import type { Lead } from './lead.ts'

/**
 * Gives a lead another open status with the operation for it: a new lead is qualified, and the team moves all others.
 * If the server refuses, for instance because somebody has changed the lead since, reads the leads again and throws the
 * refusal.
 */
export function useMoveLead(): (lead: Lead, to: LeadStatus) => Promise<void> {
  const { id: organizationId } = useOrganization()
  const cache = useQueryClient()
  const move = useAction(moveLead)
  const qualify = useAction(qualifyLead)

  function call(lead: Lead, to: LeadStatus): Promise<unknown> {
    const params = { id: lead.id }
    if (to === 'WON' || to === 'LOST') throw new Error(`A dialog gives a lead the status ${to}`)
    if (to === 'QUALIFIED' && lead.status === 'NEW')
      return qualify.mutateAsync({ params, body: { source: 'manual' } })
    return move.mutateAsync({ params, body: { status: to, expectedUpdatedAt: lead.updatedAt } })
  }

  return async (lead, to) => {
    try {
      await call(lead, to)
    } catch (error) {
      await readAgain(cache, keyOf(organizationId, listLeads), keyOf(organizationId, searchLeads))
      throw error
    }
  }
}
