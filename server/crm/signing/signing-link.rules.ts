import type { SigningLink } from '#contract/crm/signing-links.ts'
import { fail } from '#platform/fail.ts'
import type { BudgetRow } from '../budgets/budget.row.ts'
import { assertHasItems, assertNotExpired, isOpen } from '../budgets/budget.rules.ts'
import { fingerprint2 } from '../signatures/canonical/v2.ts'
import type { SigningLinkRow } from './signing-link.row.ts'

/** The status of a link. Its use takes precedence over its expiry. */
export function statusOf(link: SigningLinkRow): SigningLink['status'] {
  if (link.used_at !== null) return 'SIGNED'
  if (link.declined_at !== null) return 'DECLINED'
  if (link.revoked_at !== null) return 'REVOKED'
  return link.is_expired ? 'EXPIRED' : 'OPEN'
}

/** Refuses BUDGET_SETTLED or BUDGET_EXPIRED for a budget that can no longer be signed. */
export function assertBudgetOpen(budget: Pick<BudgetRow, 'status' | 'is_expired'>): void {
  if (!isOpen(budget.status)) fail('BUDGET_SETTLED')
  assertNotExpired(budget)
}

/** The same, and BUDGET_EMPTY for a budget without items. */
export function assertCanBeSigned(budget: BudgetRow): void {
  assertBudgetOpen(budget)
  assertHasItems(budget)
}

/** Refuses SIGNING_LINK_CLOSED for a link that can no longer be used. */
export function assertLinkOpen(link: SigningLinkRow): void {
  if (statusOf(link) !== 'OPEN') fail('SIGNING_LINK_CLOSED')
}

/** Whether two states of a budget render to the same PDF. */
export function hasSamePdf(one: BudgetRow, other: BudgetRow): boolean {
  return one.client_id === other.client_id && fingerprint2(one) === fingerprint2(other)
}
