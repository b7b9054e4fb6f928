import { issueSigningLink } from '#contract/crm/signing-links.ts'
import { limits } from '#contract/limits.ts'
import type { Tx } from '#platform/data/db.ts'
import { fail, Refusal } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { workflow } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { budgetFor, lockBudget } from '../budgets/budget.access.ts'
import type { BudgetRow } from '../budgets/budget.row.ts'
import { setBudgetStatus } from '../budgets/budget.sql.ts'
import { assertNoOpenRequest } from '../signature-requests/signature-request.access.ts'
import { fingerprint2 } from '../signatures/canonical/v2.ts'
import { insertEvents } from './signing-events.sql.ts'
import { showSigningLink } from './signing-link.json.ts'
import type { SigningLinkRow } from './signing-link.row.ts'
import { assertCanBeSigned, hasSamePdf } from './signing-link.rules.ts'
import { countLinks, insertDocument, insertLink, linkOf, revokeLinkOf } from './signing-link.sql.ts'
import { digestOf, newToken } from './signing-link.token.ts'
import { type StoredPdf, storeBudgetPdf } from './stored-pdf.ts'

type SigningLinkRequest = {
  signerName: string
  signerEmail: string
  days: number
  token: string
  storedPdf: StoredPdf | null
}

const maxAttempts = 3

/** Issues a link. The PDF is created first, outside of any transaction; the transaction checks that the budget has not changed since. */
export const issue = workflow(issueSigningLink, async ({ db, caller, params, body, services, transact }) => {
  const token = newToken(caller.organizationId)
  const days = body.expiresInDays ?? limits.signingLinkDaysDefault
  const signer = { signerName: body.signerName.trim(), signerEmail: body.signerEmail, days, token }
  return repeatOnConflict(async () => {
    const budget = await budgetFor(db, params.id)
    assertCanBeSigned(budget)
    const storedPdf = await storeBudgetPdf(services, db, budget)
    const link = await transact(tx => addLink(tx, caller, budget, { ...signer, storedPdf }), {
      subject: params.id,
      changed: ['signingLinks'],
    })
    return { ...showSigningLink(link), url: `${services.publicUrl}/s/${token}` }
  })
})

/** Repeats an attempt that is refused because the budget changed while its PDF was created (LNKS-4). */
export async function repeatOnConflict<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let count = 1; ; count++) {
    try {
      return await attempt()
    } catch (error) {
      const isConflict = error instanceof Refusal && error.code === 'BUDGET_UPDATE_CONFLICT'
      if (!isConflict || count === maxAttempts) throw error
    }
  }
}

/** Adds a link with its stored PDF to a budget. Refuses BUDGET_UPDATE_CONFLICT if the budget has changed since the PDF was created. */
export async function addLink(
  tx: Tx,
  caller: Caller,
  seen: BudgetRow,
  { storedPdf: frozen, token, ...signer }: SigningLinkRequest,
): Promise<SigningLinkRow> {
  const budget = await lockBudget(tx, seen.id)
  assertCanBeSigned(budget)
  if (!hasSamePdf(budget, seen)) fail('BUDGET_UPDATE_CONFLICT')
  await assertNoOpenRequest(tx, budget.id)
  const [total, revoked] = await Promise.all([
    countLinks(tx, budget.id),
    revokeLinkOf(tx, budget.id, signer.signerEmail),
  ])
  if (total >= limits.signingLinksPerBudget) fail('TOO_MANY_SIGNING_LINKS')
  const id = newId()
  const document = frozen && {
    id: newId(),
    budgetId: budget.id,
    dataSha256: fingerprint2(budget),
    ...frozen,
  }
  const event = { budgetId: budget.id, actorId: caller.personId }
  const [, , , , link] = await Promise.all([
    document && insertDocument(tx, document),
    insertLink(tx, {
      id,
      budgetId: budget.id,
      ...signer,
      documentId: document?.id ?? null,
      tokenDigest: digestOf(token),
      createdBy: caller.personId,
      requestId: null,
    }),
    insertEvents(
      tx,
      ...(revoked === undefined ? [] : [{ ...event, linkId: revoked, kind: 'LINK_REVOKED' as const }]),
      { ...event, linkId: id, kind: 'LINK_ISSUED' },
    ),
    budget.status === 'DRAFT' && setBudgetStatus(tx, budget.id, 'SENT'),
    linkOf(tx, budget.id, id),
  ])
  return link
}
