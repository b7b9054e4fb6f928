import { listPortalBudgets, type PortalBudget, readPortalBudget, signInPortal } from '#contract/crm/portal.ts'
import { fail } from '#platform/fail.ts'
import { reads, steps } from '#platform/serve.ts'
import type { ListedBudgetRow } from '../budgets/row.ts'
import { canonicalForm2 } from '../signatures/canonical/v2.ts'
import { fingerprintToSign } from '../signatures/fingerprint.ts'
import { recordSignature } from '../signatures/record.ts'
import { userAgentOf } from '../signing/agent.ts'
import { consentHash } from '../signing/consent.ts'
import { customerFor } from './session.ts'
import { budgetSentTo, budgetsSentTo, lockBudgetSentTo } from './store.ts'

export const list = reads(listPortalBudgets, async ({ headers, world }) => {
  const { db, client_id } = await customerFor(world, headers)
  return { items: (await budgetsSentTo(db, client_id)).map(showBudget) }
})

export const read = reads(readPortalBudget, async ({ params, headers, world }) => {
  const { db, client_id } = await customerFor(world, headers)
  const budget = (await budgetSentTo(db, client_id, params.id)) ?? fail('BUDGET_NOT_FOUND')
  return {
    ...showBudget(budget),
    content: canonicalForm2(budget) as Record<string, unknown>,
    documentHash: fingerprintToSign(budget),
  }
})

/** Document 3, hashVersion 2: what is shown in the portal is signed as data, without a link. */
export const sign = steps(signInPortal, async ({ params, body, headers, origin, world, transact }) => {
  const customer = await customerFor(world, headers)
  const signature = await transact(
    async tx => {
      const budget = (await lockBudgetSentTo(tx, customer.client_id, params.id)) ?? fail('BUDGET_NOT_FOUND')
      if (budget.status !== 'SENT') fail('BUDGET_SETTLED')
      const documentHash = fingerprintToSign(budget)
      if (body.documentHash !== documentHash) fail('SIGNED_DOCUMENT_DIFFERS')
      return recordSignature(tx, { personId: '' }, budget, {
        ...{ via: 'PORTAL', signedAt: null, documentHash, hashVersion: 2, link: null },
        ...{ signerName: body.name.trim(), signerEmail: customer.email },
        ...{ ip: origin.ip, userAgent: userAgentOf(headers), consentHash: consentHash(body.consent) },
      })
    },
    { subject: params.id, changed: ['signatures'], detail: { contactId: customer.contact_id } },
    customer.db.organizationId,
  )
  return {
    signatureId: signature.id,
    signedAt: signature.signed_at,
    documentHash: signature.document_hash,
    hashVersion: signature.hash_version,
  }
})

function showBudget(row: ListedBudgetRow): PortalBudget {
  return {
    id: row.id,
    code: row.code,
    title: row.title,
    status: row.status as PortalBudget['status'],
    issueDate: row.issue_date,
    validUntil: row.valid_until,
    currency: row.currency,
    totalCents: row.total_cents,
    signedAt: row.signed_at,
  }
}
