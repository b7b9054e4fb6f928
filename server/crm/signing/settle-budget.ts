import type { IncomingHttpHeaders } from 'node:http'
import type { Tx } from '#platform/data/db.ts'
import type { Origin } from '#platform/http/caller.ts'
import type { BudgetRow } from '../budgets/budget.row.ts'
import { setBudgetStatus } from '../budgets/budget.sql.ts'
import { normalizeTextOrNull } from '../normalize-text.ts'
import { endOpenRequest, type RequestEnd } from '../signature-requests/end-request.ts'
import { plainIp } from '../signatures/mask-ip.ts'
import { queueDeclinedMail } from './mails.ts'
import { insertEvents } from './signing-events.sql.ts'
import { revokeOpenLinks } from './signing-link.sql.ts'
import { userAgentOf } from './user-agent.ts'

type BudgetOutcome = {
  status: 'SIGNED' | 'DECLINED' | 'CANCELLED'
  /** A member of the organization; null for the signer. */
  actorId: string | null
  /** The time of the signature; defaults to now. */
  at?: string
  /** The reason of a rejection. */
  reason?: string | null
}

/**
 * Moves a budget that this transaction has locked to a final status and revokes its open links. The caller marks the link that
 * was used or declined first.
 */
export async function settleBudget(
  tx: Tx,
  budgetId: string,
  { status, actorId, ...when }: BudgetOutcome,
): Promise<BudgetRow> {
  const [budget] = await Promise.all([
    setBudgetStatus(tx, budgetId, status, when),
    revokeLinks(tx, budgetId, actorId, requestEnds[status]),
  ])
  return budget
}

const requestEnds: Record<BudgetOutcome['status'], RequestEnd> = {
  SIGNED: { status: 'COMPLETED' },
  DECLINED: { status: 'DECLINED' },
  CANCELLED: { status: 'STOPPED', stopReason: 'BUDGET_CANCELLED' },
}

/**
 * Revokes all open links of a budget that this transaction has locked. If several people are signing it, `requestEnd` says how
 * their request ends.
 */
export async function revokeLinks(
  tx: Tx,
  budgetId: string,
  actorId: string | null,
  requestEnd: RequestEnd,
): Promise<void> {
  await endOpenRequest(tx, budgetId, actorId, requestEnd)
  const revoked = await revokeOpenLinks(tx, budgetId)
  if (revoked.length === 0) return
  const event = { budgetId, kind: 'LINK_REVOKED' as const, actorId }
  await insertEvents(tx, ...revoked.map(linkId => ({ ...event, linkId })))
}

type BudgetRejection = {
  /** The link, or the contact in the portal. */
  by: { linkId: string } | { contactId: string }
  reason: string
  origin: Origin
  headers: IncomingHttpHeaders
}

/** Declines a budget that this transaction has locked. */
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
