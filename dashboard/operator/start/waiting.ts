import type { Overview } from '#contract/identity/overview.ts'
import { checksOf, type ServerHealth, worstOf } from '../health/health.rules.ts'

/** One line of the start screen: a count of things that need an operator, and the screen that has them. */
export type OperatorWaiting = {
  kind: 'scopes' | 'submissions' | 'reports' | 'health' | 'mails'
  count: number
  route: string
  search?: string
  isBad?: boolean
}

type Counts = {
  overview: Overview | undefined
  submissions: number | undefined
  reports: number | undefined
  health: ServerHealth | undefined
}

/** The lines of the start screen, the most urgent first. Counts that are zero or not known yet are left out. */
export function operatorWaiting({ overview, submissions, reports, health }: Counts): OperatorWaiting[] {
  // the mails that were given up have a line of their own
  const problems = health
    ? checksOf(health).filter(({ id, state }) => state !== 'good' && id !== 'refusedMails')
    : []
  const lines: OperatorWaiting[] = [
    {
      kind: 'health',
      count: problems.length,
      route: '/operator/health',
      isBad: worstOf(problems.map(({ state }) => state)) === 'bad',
    },
    { kind: 'scopes', count: overview?.scopeRequests ?? 0, route: '/operator/scopes' },
    { kind: 'submissions', count: submissions ?? 0, route: '/operator/submissions' },
    { kind: 'reports', count: reports ?? 0, route: '/operator/reports' },
    {
      kind: 'mails',
      count: health?.mails.refused ?? 0,
      route: '/operator/mails',
      search: '?state=REFUSED',
    },
  ]
  return lines.filter(({ count }) => count > 0)
}
