import type { Overview } from '#contract/identity/overview.ts'

type Amount = { currency: string; cents: number }

/** One line of Home: a count of things that need the caller, and where they are. */
export type Waiting = {
  kind:
    | 'overdue'
    | 'differences'
    | 'scopeRequests'
    | 'uninvoiced'
    | 'signed'
    | 'ending'
    | 'untouched'
    | 'webhooks'
    | 'newErrors'
    | 'proposals'
    | 'mentions'
    | 'channels'
  count: number
  /** The route of the list, in the organization unless it begins with a slash; without a screen the line is no link. */
  route: string
  amounts?: readonly Amount[]
  /** A day or a time that explains the count. */
  since?: string
  /** A second count: failed deliveries, errors that are not new. */
  also?: number
}

/** The things that wait for the caller, the most urgent first. Counts of zero are left out. */
export function waitingOf({
  invoices,
  differences,
  budgets,
  leads,
  webhooks,
  errors,
  scopeRequests,
  proposals,
  chat,
}: Overview): Waiting[] {
  const lines: (Waiting | undefined)[] = [
    invoices && {
      kind: 'overdue',
      count: invoices.overdue,
      route: 'invoices',
      amounts: invoices.overdueAmounts,
      ...(invoices.oldestDueDate && { since: invoices.oldestDueDate }),
    },
    differences !== undefined
      ? { kind: 'differences', count: differences, route: 'reconciliation' }
      : undefined,
    scopeRequests !== undefined
      ? { kind: 'scopeRequests', count: scopeRequests, route: '/operator/critical-scopes' }
      : undefined,
    // who may not read invoices sees the budgets that were signed lately
    budgets && { kind: invoices ? 'uninvoiced' : 'signed', count: budgets.signed, route: 'budgets' },
    budgets && { kind: 'ending', count: budgets.ending, route: 'budgets' },
    leads && {
      kind: 'untouched',
      count: leads.untouched,
      route: 'leads',
      ...(leads.oldestAt && { since: leads.oldestAt }),
    },
    webhooks && {
      kind: 'webhooks',
      count: webhooks.paused + webhooks.failing,
      route: 'deliveries',
      also: webhooks.failedDeliveries,
    },
    errors && { kind: 'newErrors', count: errors.new, route: 'errors', also: errors.unresolved },
    proposals !== undefined ? { kind: 'proposals', count: proposals, route: 'channels' } : undefined,
    chat && { kind: 'mentions', count: chat.mentions, route: 'channels/mentions' },
    chat && { kind: 'channels', count: chat.channels, route: 'channels' },
  ]
  return lines.filter(line => line !== undefined).filter(({ count }) => count > 0)
}

/** The sum that is due in one currency, and its parts by age. */
export function totalDue(due: NonNullable<Overview['invoices']>['dueByAge'][number]): number {
  return due.notDueCents + due.to30Cents + due.to60Cents + due.over60Cents
}
