import type { IncomingHttpHeaders } from 'node:http'
import { openSigningPage } from '#contract/crm/signing-page.ts'
import { recordEvents } from '#platform/events/audit.ts'
import { emit } from '#platform/events/emit.ts'
import type { Origin } from '#platform/http/caller.ts'
import { languageOf } from '#platform/http/html-page.ts'
import { stream } from '#platform/http/operation.ts'
import type { OutboxServices } from '#platform/services.ts'
import { budgetFor } from '../../budgets/budget.access.ts'
import { issuerOf } from '../../issuer/issuer.sql.ts'
import { signersOfLink } from '../../signature-requests/signature-request.sql.ts'
import { fingerprintToSign } from '../../signatures/fingerprint.ts'
import { plainIp } from '../../signatures/mask-ip.ts'
import { insertEvents } from '../signing-events.sql.ts'
import { type OpenLink, organizationOfToken, viewableLinkFor } from '../signing-link.access.ts'
import { setViewed } from '../signing-link.sql.ts'
import { userAgentOf } from '../user-agent.ts'
import { renderSignedPage } from './signed-page.ts'
import { expiredPage, signingPage } from './signing-page.html.ts'

/** Opening the page does not use the link, because mail scanners open links too. */
export const openPage = stream(
  openSigningPage,
  async ({ params: { token }, headers, origin, services, request, reply }) => {
    const organizationId = organizationOfToken(token)
    const db = services.database.of(organizationId)
    const language = languageOf(headers)
    const link = await viewableLinkFor(db, token)
    if (link.used_at !== null) return (await renderSignedPage(db, language, link, token)).send(reply)
    const budget = await budgetFor(db, link.budget_id)
    if (link.viewed_at === null && request.method === 'GET')
      await recordFirstView(services, organizationId, link, { origin, headers })
    if (budget.is_expired)
      return expiredPage(language, { link, budget, token, issuer: await issuerOf(db) }).send(reply)
    const signers = await signersOfLink(db, link)
    const documentHash = link.document_sha256 ?? fingerprintToSign(budget)
    return signingPage(language, { link, budget, token, documentHash, signers }).send(reply)
  },
)

/** Records the first view in the history of the budget. */
async function recordFirstView(
  { database, wakeUp }: OutboxServices,
  organizationId: string,
  { id, budget_id }: OpenLink,
  { origin, headers }: { origin: Origin; headers: IncomingHttpHeaders },
): Promise<void> {
  await database.transact(
    organizationId,
    async tx => {
      if (!(await setViewed(tx, id))) return
      await insertEvents(tx, {
        budgetId: budget_id,
        linkId: id,
        kind: 'VIEWED',
        actorId: null,
        ip: plainIp(origin.ip),
        userAgent: userAgentOf(headers),
      })
      emit(tx, { personId: '' }, 'budget.changed', { ids: [budget_id] })
    },
    recordEvents,
  )
  wakeUp?.changed()
}
