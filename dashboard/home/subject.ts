import type { InboxItem } from '#contract/identity/inbox.ts'

/** A screen that shows the subject of an item: its route below the organization, and what its address holds. */
type Subject = { route: string; search: string; params: Readonly<Record<string, string>> }

/** The lists that show their rows beside them. */
const lists = {
  LEAD_ASSIGNED: 'leads',
  BUDGET_SIGNED: 'budgets',
  BUDGET_DECLINED: 'budgets',
  CHARGE_FAILED: 'invoices',
} as const

/** Where an item of the inbox leads to: the message in its channel, the agent, the webhook, or the open row of a list. */
export function subjectOf({
  kind,
  subjectId,
  parentId,
}: Pick<InboxItem, 'kind' | 'subjectId' | 'parentId'>): Subject {
  const open = (name: string) => `?${name}=${encodeURIComponent(subjectId)}`
  switch (kind) {
    case 'MENTION':
      return {
        route: 'channels/$channelId',
        search: open('message'),
        params: { channelId: parentId ?? '' },
      }
    case 'AGENT_PROPOSED':
      return { route: 'agents/$agentId', search: '', params: { agentId: subjectId } }
    case 'WEBHOOK_PAUSED':
      return {
        route: 'applications/$applicationId/webhook',
        search: '',
        params: { applicationId: subjectId },
      }
    default:
      return { route: lists[kind], search: open('open'), params: {} }
  }
}
