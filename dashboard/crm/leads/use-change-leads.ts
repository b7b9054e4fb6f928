import { useQueryClient } from '@tanstack/react-query'
import { qualifyLead, scoreLead } from '#contract/crm/lead-moves.ts'
import type { LeadStatus, Temperature } from '#contract/crm/shapes.ts'
import { changeLeads } from '#contract/crm/team.ts'
import { codeOf } from '../../data/errors.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useAction } from '../../data/read.ts'
import type { Lead } from './lead.ts'

export type LeadsChange =
  | { field: 'status'; value: LeadStatus; reason: string }
  | { field: 'assigneeId'; value: string | null }
  | { field: 'temperature'; value: Temperature | null }
/** The result for one lead: whether it changed, or the code of the refusal. */
export type LeadResult = { id: string; changed: boolean; errorCode: string | null }

/** The most leads of one call, and how many calls for one lead each run at once. */
const mostAtOnce = 200
const callsAtOnce = 8

/**
 * Changes one field of many leads. Returns a result for each lead; throws if a call fails for another reason than
 * the state of a lead.
 */
export function useChangeLeads(): (leads: readonly Lead[], change: LeadsChange) => Promise<LeadResult[]> {
  const { id: organizationId } = useOrganization()
  const cache = useQueryClient()
  const many = useAction(changeLeads, { refreshes: [] })
  const qualify = useAction(qualifyLead, { refreshes: [] })
  const score = useAction(scoreLead, { refreshes: [] })

  async function changeMany(
    leads: readonly Lead[],
    body: { status?: Exclude<LeadStatus, 'WON'>; assigneeId?: string | null; reason?: string },
  ): Promise<LeadResult[]> {
    const results = []
    for (const part of partsOf(leads, mostAtOnce)) {
      const { items } = await many.mutateAsync({ body: { ids: part.map(({ id }) => id), ...body } })
      results.push(...items)
    }
    return results
  }

  async function changeEach(
    leads: readonly Lead[],
    call: (id: string) => Promise<{ changed: boolean }>,
  ): Promise<LeadResult[]> {
    const results = []
    for (const part of partsOf(leads, callsAtOnce))
      results.push(...(await Promise.all(part.map(({ id }) => resultOf(id, call(id))))))
    return results
  }

  async function changeStatus(leads: readonly Lead[], status: LeadStatus, reason: string) {
    if (status === 'WON') throw new Error('Leads become WON when they are converted')
    // the team moves leads of other statuses; a new one is qualified
    const isQualified = (lead: Lead) => status === 'QUALIFIED' && lead.status === 'NEW'
    const body = reason ? { reason } : {}
    return [
      ...(await changeEach(leads.filter(isQualified), id => qualify.mutateAsync({ params: { id }, body }))),
      ...(await changeMany(
        leads.filter(lead => !isQualified(lead)),
        { status, ...body },
      )),
    ]
  }

  return async (leads, change) => {
    try {
      if (change.field === 'status') return await changeStatus(leads, change.value, change.reason)
      if (change.field === 'assigneeId') return await changeMany(leads, { assigneeId: change.value })
      const body = { temperature: change.value }
      return await changeEach(leads, id => score.mutateAsync({ params: { id }, body }))
    } finally {
      void cache.invalidateQueries({ queryKey: [organizationId, 'crm'] })
    }
  }
}

function partsOf<Row>(rows: readonly Row[], size: number): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, at) =>
    rows.slice(at * size, (at + 1) * size),
  )
}

/** A refusal with a code concerns this lead alone; anything else ends the whole change. */
async function resultOf(id: string, call: Promise<{ changed: boolean }>): Promise<LeadResult> {
  try {
    return { id, changed: (await call).changed, errorCode: null }
  } catch (error) {
    const errorCode = codeOf(error)
    if (errorCode?.startsWith('LEAD_')) return { id, changed: false, errorCode }
    throw error
  }
}
