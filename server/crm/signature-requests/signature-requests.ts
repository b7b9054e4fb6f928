import {
  listSignatureRequests,
  replaceSigner,
  stopSignatureRequest,
} from '#contract/crm/signature-requests.ts'
import { limits } from '#contract/limits.ts'
import { fail } from '#platform/fail.ts'
import { command, query, workflow } from '#platform/http/operation.ts'
import { budgetFor } from '../budgets/budget.access.ts'
import { assertNotExpired } from '../budgets/budget.rules.ts'
import { queueLinkMails, sendLinkMails } from '../signing/send.ts'
import { revokeLinks } from '../signing/settle-budget.ts'
import { insertEvents } from '../signing/signing-events.sql.ts'
import { countLinks, setRevoked } from '../signing/signing-link.sql.ts'
import { issueLinks } from './invite.ts'
import { lockRequest, requestFor } from './signature-request.access.ts'
import { showSignatureRequest } from './signature-request.json.ts'
import { assertDistinctAddresses, assertRequestOpen } from './signature-request.rules.ts'
import { requestsOf, setSigner, signersOf } from './signature-request.sql.ts'

export const list = query(listSignatureRequests, async ({ db, params }) => {
  const [, requests] = await Promise.all([budgetFor(db, params.id), requestsOf(db, params.id)])
  const signers = await signersOf(
    db,
    requests.map(({ id }) => id),
  )
  return {
    items: requests.map(request =>
      showSignatureRequest(
        request,
        signers.filter(({ request_id }) => request_id === request.id),
      ),
    ),
  }
})

/** Somebody else takes the place of a signer who has not signed. */
export const replace = workflow(
  replaceSigner,
  async ({ db, caller, params: { id, requestId, signerId }, body, services, transact }) => {
    const person = { name: body.name.trim(), email: body.email }
    const mails = await transact(
      async tx => {
        const { budget, request, signers } = await lockRequest(tx, id, requestId)
        const signer = signers.find(each => each.id === signerId) ?? fail('SIGNER_NOT_FOUND')
        assertRequestOpen(request)
        // the budget is open, because its request is
        assertNotExpired(budget)
        if (signer.signature_id !== null) fail('SIGNER_HAS_SIGNED')
        const others = signers.filter(each => each.id !== signerId)
        assertDistinctAddresses([...others.map(({ email }) => email), person.email], () => 'email')
        await setSigner(tx, signerId, person.name, person.email)
        if (signer.link_id === null) return []
        const toCome = others.filter(({ link_id }) => link_id === null).length
        if ((await countLinks(tx, id)) + toCome >= limits.signingLinksPerBudget)
          fail('TOO_MANY_SIGNING_LINKS')
        await setRevoked(tx, signer.link_id)
        await insertEvents(tx, {
          budgetId: id,
          linkId: signer.link_id,
          kind: 'LINK_REVOKED',
          actorId: caller.personId,
        })
        const replacement = { ...person, id: signerId }
        const mails = await issueLinks(tx, services.cipher, {
          request,
          signers: [replacement],
          actorId: caller.personId,
        })
        return queueLinkMails(tx, mails)
      },
      { subject: id, changed: ['signatureRequests'], detail: { requestId, signerId } },
    )
    await sendLinkMails(services, mails)
    const { request, signers } = await requestFor(db, id, requestId)
    return showSignatureRequest(request, signers)
  },
)

export const stop = command(
  stopSignatureRequest,
  async ({ tx, caller, params: { id, requestId }, audit }) => {
    const { request, signers } = await lockRequest(tx, id, requestId)
    const isStopped = request.status === 'STOPPED'
    audit(id, isStopped ? [] : ['signatureRequests'], { requestId })
    if (isStopped) return showSignatureRequest(request, signers)
    assertRequestOpen(request)
    await revokeLinks(tx, id, caller.personId, { status: 'STOPPED', stopReason: 'PERSON' })
    const stopped = await requestFor(tx, id, requestId)
    return showSignatureRequest(stopped.request, stopped.signers)
  },
)
