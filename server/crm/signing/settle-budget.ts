import type { IncomingHttpHeaders } from 'node:http'
import type { Tx } from '#platform/data/database.ts'
import type { Origin } from '#platform/http/caller.ts'
import type { BudgetRow } from '../budgets/budget.row.ts'
import { setBudgetStatus } from '../budgets/budget.sql.ts'
import { normalizeTextOrNull } from '../normalize-text.ts'
import { plainIp } from '../signatures/mask-ip.ts'
import { queueDeclinedMail } from './mails.ts'
import { insertEvents } from './signing-events.sql.ts'
import { revokeOpenLinks } from './signing-link.sql.ts'
import { userAgentOf } from './user-agent.ts'

type BudgetOutcome = {
  status: 'SIGNED' | 'DECLINED' | 'CANCELLED'
  /** A person of the organization; null: the signer. */
  actorId: string | null
  /** When it happened; now unless told. */
  at?: string
  /** Why it was declined. */
  reason?: string | null
}

/**
 * Takes a budget that this transaction has locked to where nothing more is asked of its client: the links that are still
 * open are revoked. The link that was used or declined is marked before.
 */
export async function settleBudget(
  tx: Tx,
  budgetId: string,
  { status, actorId, ...when }: BudgetOutcome,
): Promise<BudgetRow> {
  const [budget] = await Promise.all([
    setBudgetStatus(tx, budgetId, status, when),
    revokeLinks(tx, budgetId, actorId),
  ])
  return budget
}

/** Revokes all links with which a budget that this transaction has locked could still be signed. */
export async function revokeLinks(tx: Tx, budgetId: string, actorId: string | null): Promise<void> {
  const revoked = await revokeOpenLinks(tx, budgetId)
  if (revoked.length === 0) return
  const event = { budgetId, kind: 'LINK_REVOKED' as const, actorId }
  await insertEvents(tx, ...revoked.map(linkId => ({ ...event, linkId })))
}

type BudgetRejection = {
  /** With which it was declined, or who did it in the portal. */
  by: { linkId: string } | { contactId: string }
  reason: string
  origin: Origin
  headers: IncomingHttpHeaders
}

/** Declines a budget that this transaction has locked, as its client says. */
export async function declineBudget(
  tx: Tx,
  budgetId: string,
  { by, reason, origin, headers }: BudgetRejection,
): Promise<BudgetRow> {
  const linkId = 'linkId' in by ? by.linkId : null
  await queueDeclinedMail(tx, { budgetId, ...by })
  await insertEvents(tx, {
    budgetId,
    linkId,
    kind: 'DECLINED',
    actorId: null,
    ip: plainIp(origin.ip),
    userAgent: userAgentOf(headers),
  })
  return settleBudget(tx, budgetId, {
    status: 'DECLINED',
    actorId: null,
    reason: normalizeTextOrNull(reason),
  })
}
