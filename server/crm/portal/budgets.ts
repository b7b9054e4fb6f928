import type { IncomingHttpHeaders } from 'node:http'
import * as contract from '#contract/crm/portal.ts'
import type { Files } from '#platform/adapters/files.ts'
import { fail, Refusal } from '#platform/fail.ts'
import { type HtmlPage, languageOf, sendPdf, wantsHtml } from '#platform/http/html-page.ts'
import { query, stream, workflow } from '#platform/http/operation.ts'
import type { BudgetRow, ListedBudgetRow } from '../budgets/budget.row.ts'
import { assertNotExpired, hasExpired } from '../budgets/budget.rules.ts'
import { pdfFileName, renderBudgetPdf } from '../budgets/pdf.ts'
import { sealOf } from '../seals/budget-seal.sql.ts'
import { sealedFileName, sealedPdfOf } from '../seals/read.ts'
import { readSettings } from '../settings/crm-settings.sql.ts'
import { assertNoOpenRequest } from '../signature-requests/signature-request.access.ts'
import { hasOpenRequest } from '../signature-requests/signature-request.sql.ts'
import { canonicalForm2 } from '../signatures/canonical/v2.ts'
import { fingerprintToSign } from '../signatures/fingerprint.ts'
import { recordSignature } from '../signatures/record.ts'
import { isOfAcceptance, signaturesFor } from '../signatures/signature.access.ts'
import { consentHash } from '../signing/consent.ts'
import { signedPage } from '../signing/page/signing-page.html.ts'
import { readStoredPdf } from '../signing/stored-pdf.ts'
import { userAgentOf } from '../signing/user-agent.ts'
import { budgetPage, budgetsPage } from './portal.html.ts'
import { budgetSentTo, budgetsSentTo, lockBudgetSentTo } from './portal.sql.ts'
import { customerFor, type PortalCustomer } from './session.ts'

export const list = query(contract.listPortalBudgets, async ({ headers, services }) => {
  const customer = await customerFor(services, headers)
  const budgets = await budgetsSentTo(customer.db, customer.client_id)
  if (!wantsHtml(headers)) return { items: budgets.map(showPortalBudget) }
  const { portalGreeting: greeting } = await readSettings(customer.db)
  return budgetsPage(languageOf(headers), customer, { budgets, greeting })
})

export const read = query(contract.readPortalBudget, async ({ params, headers, services }) => {
  const customer = await customerFor(services, headers)
  const budget = await budgetFor(customer, params.id)
  if (wantsHtml(headers)) return renderPage(customer, headers, budget)
  return {
    ...showPortalBudget(budget),
    content: canonicalForm2(budget) as Record<string, unknown>,
    documentHash: fingerprintToSign(budget),
  }
})

async function renderPage(
  customer: PortalCustomer,
  headers: IncomingHttpHeaders,
  budget: BudgetRow,
): Promise<HtmlPage> {
  const [hasSeveralSigners, seal] = await Promise.all([
    hasOpenRequest(customer.db, budget.id),
    sealOf(customer.db, budget.id),
  ])
  const documentHash = fingerprintToSign(budget)
  const isSealed = Boolean(seal?.sha256)
  return budgetPage(languageOf(headers), customer, { budget, documentHash, hasSeveralSigners, isSealed })
}

/** A signed budget is returned as the file that was signed. */
export const document = stream(contract.openPortalDocument, async ({ params, headers, services, reply }) => {
  const customer = await customerFor(services, headers)
  const budget = await budgetFor(customer, params.id)
  return sendPdf(reply, await pdfOf(services.files, customer, budget), pdfFileName(budget))
})

export const sealedDocument = stream(
  contract.openSealedPortalDocument,
  async ({ params, headers, services, reply }) => {
    const customer = await customerFor(services, headers)
    const budget = await budgetFor(customer, params.id)
    return sendPdf(reply, await sealedPdfOf(services.files, customer.db, budget.id), sealedFileName(budget))
  },
)

async function budgetFor({ db, client_id }: PortalCustomer, id: string): Promise<BudgetRow> {
  return (await budgetSentTo(db, client_id, id)) ?? fail('BUDGET_NOT_FOUND')
}

async function pdfOf(files: Files, { db }: PortalCustomer, budget: BudgetRow): Promise<Buffer> {
  // several people may be signing it, or have begun to
  if (budget.status !== 'SIGNED') return renderBudgetPdf(files, db, budget)
  const signatures = (await signaturesFor(db, budget.id)).filter(isOfAcceptance)
  const storedPdf = signatures.find(({ document_sha256 }) => document_sha256 !== null)?.document_sha256
  return storedPdf ? readStoredPdf(files, storedPdf) : renderBudgetPdf(files, db, budget)
}

/** Signs the data of the budget, without a link (PRT-8). */
export const sign = workflow(
  contract.signInPortal,
  async ({ params, body, headers, origin, services, transact }) => {
    const customer = await customerFor(services, headers)
    const signed = transact(
      async tx => {
        const budget = (await lockBudgetSentTo(tx, customer.client_id, params.id)) ?? fail('BUDGET_NOT_FOUND')
        if (budget.status !== 'SENT') fail('BUDGET_SETTLED')
        assertNotExpired(budget)
        await assertNoOpenRequest(tx, budget.id)
        const documentHash = fingerprintToSign(budget)
        if (body.documentHash !== documentHash) fail('SIGNED_DOCUMENT_DIFFERS')
        const signature = await recordSignature(tx, { personId: '' }, budget, {
          via: 'PORTAL',
          signedAt: null,
          documentHash,
          hashVersion: 2,
          link: null,
          signerName: body.name.trim(),
          signerEmail: customer.email,
          ip: origin.ip,
          userAgent: userAgentOf(headers),
          consentHash: consentHash(body.consent),
        })
        return { budget, signature }
      },
      { subject: params.id, changed: ['signatures'], detail: { contactId: customer.contact_id } },
      customer.db.organizationId,
    )
    const result = await signed.catch(error => {
      // after a double click the browser shows the reply to the second request, so that reply is the page
      if (!(error instanceof Refusal && error.code === 'BUDGET_SETTLED' && wantsHtml(headers))) throw error
    })
    if (!result) return renderPage(customer, headers, await budgetFor(customer, params.id))
    const { budget, signature } = result
    if (wantsHtml(headers))
      return signedPage(languageOf(headers), {
        sender: customer.sender,
        code: budget.code,
        signerName: signature.signer_name,
        signedAt: signature.signed_at,
        documentHash: signature.document_hash,
        pdf: `/portal/budgets/${budget.id}/pdf`,
        sealed: (await sealOf(customer.db, budget.id)) ? 'WAITING' : null,
      })
    return {
      signatureId: signature.id,
      signedAt: signature.signed_at,
      documentHash: signature.document_hash,
      hashVersion: signature.hash_version,
    }
  },
)

function showPortalBudget(row: ListedBudgetRow): contract.PortalBudget {
  return {
    id: row.id,
    code: row.code,
    title: row.title,
    status: row.status as contract.PortalBudget['status'],
    issueDate: row.issue_date,
    validUntil: row.valid_until,
    isExpired: hasExpired(row),
    currency: row.currency,
    totalCents: row.total_cents,
    signedAt: row.signed_at,
    declinedAt: row.declined_at,
  }
}
