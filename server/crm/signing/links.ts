import { listSigningLinks, revokeSigningLink } from '#contract/crm/signing-links.ts'
import { command, query } from '#platform/http/operation.ts'
import { budgetFor, lockBudget } from '../budgets/budget.access.ts'
import { revokeLinks } from './settle-budget.ts'
import { insertEvents } from './signing-events.sql.ts'
import { lockLink } from './signing-link.access.ts'
import { showSigningLink } from './signing-link.json.ts'
import { assertLinkOpen, statusOf } from './signing-link.rules.ts'
import { linkOf, linksOf, setRevoked } from './signing-link.sql.ts'

export const list = query(listSigningLinks, async ({ db, params }) => {
  const [, links] = await Promise.all([budgetFor(db, params.id), linksOf(db, params.id)])
  return { items: links.map(showSigningLink) }
})

export const revoke = command(revokeSigningLink, async ({ tx, caller, params: { id, linkId }, audit }) => {
  const budget = await lockBudget(tx, id)
  const link = await lockLink(tx, id, linkId)
  const isRevoked = statusOf(link) === 'REVOKED'
  audit(id, isRevoked ? [] : ['signingLinks'], { linkId })
  if (isRevoked) return showSigningLink(link)
  assertLinkOpen(link)
  if (link.signature_request_id !== null) {
    // without this signer nobody can complete the request
    await revokeLinks(tx, id, caller.personId, { status: 'STOPPED', stopReason: 'LINK_REVOKED' })
    return showSigningLink(await linkOf(tx, id, linkId))
  }
  const [, , revoked] = await Promise.all([
    setRevoked(tx, linkId),
    insertEvents(tx, { budgetId: budget.id, linkId, kind: 'LINK_REVOKED', actorId: caller.personId }),
    linkOf(tx, id, linkId),
  ])
  return showSigningLink(revoked)
})
