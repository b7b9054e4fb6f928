import { requestSignatures } from '#contract/crm/signature-requests.ts'
import { limits } from '#contract/limits.ts'
import { StoreUnavailable } from '#platform/adapters/files.ts'
import type { Tx } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { workflow } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { required } from '#platform/required.ts'
import type { Cipher } from '#platform/security/cipher.ts'
import { budgetFor, lockBudget } from '../budgets/budget.access.ts'
import type { BudgetRow } from '../budgets/budget.row.ts'
import { setBudgetStatus } from '../budgets/budget.sql.ts'
import { fingerprint2 } from '../signatures/canonical/v2.ts'
import { repeatOnConflict } from '../signing/issue.ts'
import { queueLinkMails, sendLinkMails } from '../signing/send.ts'
import { revokeLinks } from '../signing/settle-budget.ts'
import { assertCanBeSigned, hasSamePdf } from '../signing/signing-link.rules.ts'
import { countLinks, insertDocument } from '../signing/signing-link.sql.ts'
import { type StoredPdf, storeBudgetPdf } from '../signing/stored-pdf.ts'
import { issueLinks } from './invite.ts'
import { assertNoOpenRequest, requestFor } from './signature-request.access.ts'
import { showSignatureRequest } from './signature-request.json.ts'
import { assertDistinctAddresses, signersToInvite } from './signature-request.rules.ts'
import { insertRequest, type NewRequest, requestOf, signersOf } from './signature-request.sql.ts'

type RequestToAdd = Pick<NewRequest, 'linkDays' | 'signers'> & { storedPdf: StoredPdf }

/** Requests the signatures of several people. The PDF is created first, as for a single link. */
export const request = workflow(
  requestSignatures,
  async ({ db, caller, params, body, services, transact }) => {
    assertDistinctAddresses(
      body.signers.map(({ email }) => email),
      index => `signers.${index}.email`,
    )
    const signers = body.signers
      .map(({ name, email, order = 1 }) => ({ id: newId(), name: name.trim(), email, order }))
      .sort((one, other) => one.order - other.order)
      .map((signer, index) => ({ ...signer, position: index + 1 }))
    const linkDays = body.expiresInDays ?? limits.signingLinkDaysDefault
    const { requestId, mails } = await repeatOnConflict(async () => {
      const budget = await budgetFor(db, params.id)
      assertCanBeSigned(budget)
      await assertNoOpenRequest(db, budget.id)
      const storedPdf = await storeBudgetPdf(services, db, budget)
      // without the bytes, each signer would sign the data of another moment
      if (!storedPdf) throw new StoreUnavailable('The PDF that several people sign could not be stored')
      return transact(
        tx => addRequest(tx, services.cipher, caller, budget, { linkDays, signers, storedPdf }),
        { subject: params.id, changed: ['signatureRequests'] },
      )
    })
    await sendLinkMails(services, mails)
    const { request, signers: added } = await requestFor(db, params.id, requestId)
    return showSignatureRequest(request, added)
  },
)

async function addRequest(
  tx: Tx,
  cipher: Cipher,
  caller: Caller,
  seen: BudgetRow,
  { linkDays, signers, storedPdf }: RequestToAdd,
) {
  const budget = await lockBudget(tx, seen.id)
  assertCanBeSigned(budget)
  if (!hasSamePdf(budget, seen)) fail('BUDGET_UPDATE_CONFLICT')
  await assertNoOpenRequest(tx, budget.id)
  const links = await countLinks(tx, budget.id)
  if (links + signers.length > limits.signingLinksPerBudget) fail('TOO_MANY_SIGNING_LINKS')
  // the signature of a single signer would accept the budget
  await revokeLinks(tx, budget.id, caller.personId, { status: 'STOPPED', stopReason: 'PERSON' })
  const [requestId, documentId] = [newId(), newId()]
  await insertDocument(tx, {
    id: documentId,
    budgetId: budget.id,
    dataSha256: fingerprint2(budget),
    ...storedPdf,
  })
  await insertRequest(tx, {
    id: requestId,
    budgetId: budget.id,
    documentId,
    linkDays,
    createdBy: caller.personId,
    signers,
  })
  if (budget.status === 'DRAFT') await setBudgetStatus(tx, budget.id, 'SENT')
  const [request, added] = await Promise.all([requestOf(tx, requestId), signersOf(tx, [requestId])])
  const mails = await issueLinks(tx, cipher, {
    request: required(request, 'the request that was just created'),
    signers: signersToInvite(added),
    actorId: caller.personId,
  })
  return { requestId, mails: await queueLinkMails(tx, mails) }
}
