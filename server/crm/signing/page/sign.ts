import { signByLink } from '#contract/crm/signing-page.ts'
import { fail, Refusal } from '#platform/fail.ts'
import { languageOf, wantsHtml } from '#platform/http/html-page.ts'
import { workflow } from '#platform/http/operation.ts'
import { assertNotExpired } from '../../budgets/budget.rules.ts'
import { endTurn, placeOf, turnOfLink } from '../../signature-requests/turn.ts'
import { fingerprintToSign } from '../../signatures/fingerprint.ts'
import { recordSignature } from '../../signatures/record.ts'
import { consentHash } from '../consent.ts'
import { lockOpenLink, openLinkFor, organizationOfToken, viewableLinkFor } from '../signing-link.access.ts'
import { setUsed } from '../signing-link.sql.ts'
import { readStoredPdf } from '../stored-pdf.ts'
import { userAgentOf } from '../user-agent.ts'
import { renderSignedPage } from './signed-page.ts'

/** Signs once: the stored PDF (hashVersion 3) or, without one, the data of the budget (2). */
export const sign = workflow(
  signByLink,
  async ({ params: { token }, body, headers, origin, services, transact }) => {
    const organizationId = organizationOfToken(token)
    const db = services.database.of(organizationId)
    const page = async () =>
      renderSignedPage(db, languageOf(headers), await viewableLinkFor(db, token), token)
    try {
      const signature = await signOnce()
      if (wantsHtml(headers)) return await page()
      return {
        signatureId: signature.id,
        signedAt: signature.signed_at,
        documentHash: signature.document_hash,
        hashVersion: signature.hash_version,
      }
    } catch (error) {
      // after a double click the browser shows the reply to the second request, so that reply is the page
      const isOver = error instanceof Refusal && error.code === 'SIGNING_LINK_NOT_VALID'
      if (isOver && wantsHtml(headers)) return page()
      throw error
    }

    async function signOnce() {
      const link = await openLinkFor(db, token)
      // a document that cannot be read could never be verified
      if (link.document_sha256 !== null) await readStoredPdf(services.files, link.document_sha256)
      return transact(
        async tx => {
          const { link, budget } = await lockOpenLink(tx, token)
          assertNotExpired(budget)
          const documentHash = link.document_sha256 ?? fingerprintToSign(budget)
          if (body.documentHash !== documentHash) fail('SIGNED_DOCUMENT_DIFFERS')
          const turn =
            link.signature_request_id === null
              ? undefined
              : await turnOfLink(tx, link.signature_request_id, link.id)
          await setUsed(tx, link.id)
          const signature = await recordSignature(tx, anonymousSigner, budget, {
            via: 'LINK',
            signedAt: null,
            documentHash,
            hashVersion: link.document_sha256 === null ? 2 : 3,
            signerName: body.name.trim(),
            signerEmail: link.signer_email,
            ip: origin.ip,
            userAgent: userAgentOf(headers),
            consentHash: consentHash(body.consent),
            link: { id: link.id, documentId: link.document_id },
            ...(turn && { place: placeOf(turn) }),
          })
          if (turn) await endTurn(tx, services.cipher, turn, signature.id)
          return signature
        },
        { subject: link.budget_id, changed: ['signatures'], detail: { linkId: link.id } },
        organizationId,
      )
    }
  },
)

/** A signer is not a member of the organization. */
const anonymousSigner = { personId: '' }
