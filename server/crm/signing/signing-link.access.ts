import { limits } from '#contract/limits.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { fail } from '#platform/fail.ts'
import type { PageSender } from '#platform/http/html-page.ts'
import { hasModule } from '#server/identity/index.ts'
import { lockBudget } from '../budgets/budget.access.ts'
import type { BudgetRow } from '../budgets/budget.row.ts'
import { pageSenderColumn, pageSenderJoin } from '../letterhead/page-sender.sql.ts'
import { allLinkColumns, linkJoins, type SigningLinkRow } from './signing-link.row.ts'
import { digestOf, organizationOf } from './signing-link.token.ts'

const lock = sql<SigningLinkRow, { budgetId: string; id: string }>(`
  select ${allLinkColumns} from signing_link l ${linkJoins}
  where l.organization_id = $organization and l.budget_id = $budgetId and l.id = $id for no key update of l`)

/** A link of a budget that this transaction has locked. Refuses SIGNING_LINK_NOT_FOUND. */
export async function lockLink(tx: Tx, budgetId: string, id: string): Promise<SigningLinkRow> {
  return (await tx.first(lock, { budgetId, id })) ?? fail('SIGNING_LINK_NOT_FOUND')
}

const isOpen = `l.revoked_at is null and l.used_at is null and l.declined_at is null and l.expires_at > now()`
const statement = (condition: string) => `
  select ${allLinkColumns}, ${pageSenderColumn} from signing_link l ${linkJoins}
  join budget b on b.organization_id = $organization and b.id = l.budget_id
  join organization o on o.id = $organization and ${hasModule('crm')} ${pageSenderJoin}
  where l.organization_id = $organization and l.token_digest = decode($digest, 'hex') and ${condition}`
const selectOpen = sql<OpenLink, { digest: string }>(statement(`b.status = 'SENT' and ${isOpen}`))
// signers can still open a link after using it
const selectViewable = sql<OpenLink, { digest: string }>(
  statement(
    `(${isOpen} and b.status = 'SENT' or l.used_at > now() - interval '${limits.signedLinkDays} days')`,
  ),
)
const lockOpen = sql<SigningLinkRow, { digest: string }>(`
  select ${allLinkColumns} from signing_link l ${linkJoins}
  where l.organization_id = $organization and l.token_digest = decode($digest, 'hex') and ${isOpen} for no key update of l`)

/** A link with the organization that sent it. */
export type OpenLink = SigningLinkRow & { sender: PageSender }

/** The organization in a token. Refuses SIGNING_LINK_NOT_VALID. */
export function organizationOfToken(token: string): string {
  return organizationOf(token) ?? fail('SIGNING_LINK_NOT_VALID')
}

/**
 * The open link of a token: the budget is SENT, and the link was not used, declined or revoked and has not expired. Refuses
 * SIGNING_LINK_NOT_VALID in all other cases.
 */
export async function openLinkFor(db: Db, token: string): Promise<OpenLink> {
  return (await db.first(selectOpen, { digest: digestOf(token) })) ?? fail('SIGNING_LINK_NOT_VALID')
}

/** The same, or a link that was used within `signedLinkDays`. Refuses SIGNING_LINK_NOT_VALID. */
export async function viewableLinkFor(db: Db, token: string): Promise<OpenLink> {
  return (await db.first(selectViewable, { digest: digestOf(token) })) ?? fail('SIGNING_LINK_NOT_VALID')
}

/** An open link with its budget, both locked until the transaction ends. */
export async function lockOpenLink(
  tx: Tx,
  token: string,
): Promise<{ link: SigningLinkRow; budget: BudgetRow }> {
  const { budget_id } = await openLinkFor(tx, token)
  // locks the budget first, as everywhere; both are checked again under the lock
  const budget = await lockBudget(tx, budget_id)
  const link = await tx.first(lockOpen, { digest: digestOf(token) })
  if (!link || budget.status !== 'SENT') fail('SIGNING_LINK_NOT_VALID')
  return { link, budget }
}
