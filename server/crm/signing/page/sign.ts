import { signByLink } from '#contract/crm/signing-page.ts'
import { fail, Refusal } from '#platform/fail.ts'
import { languageOf, wantsHtml } from '#platform/http/html-page.ts'
import { workflow } from '#platform/http/operation.ts'
import { assertNotExpired } from '../../budgets/budget.rules.ts'
import { fingerprintToSign } from '../../signatures/fingerprint.ts'
import { recordSignature } from '../../signatures/record.ts'
import { userAgentOf } from '../agent.ts'
import { consentHash } from '../consent.ts'
import { frozenPdf } from '../freeze.ts'
import { lockOpenLink, openLinkFor, organizationNamedBy, shownLinkFor } from '../signing-link.access.ts'
import { setUsed } from '../signing-link.sql.ts'
import { pageOfSigned } from './signed.ts'

/** What was shown is signed, once: the frozen PDF (hashVersion 3) or, without one, the data of the budget (2). */
export const sign = workflow(
  signByLink,
  async ({ params: { token }, body, headers, origin, services, transact }) => {
    const organizationId = organizationNamedBy(token)
    const db = services.database.of(organizationId)
    const page = async () => pageOfSigned(db, languageOf(headers), await shownLinkFor(db, token), token)
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
      // a browser whose button was pressed twice shows what the second time is answered
      const isOver = error instanceof Refusal && error.code === 'SIGNING_LINK_NOT_VALID'
      if (isOver && wantsHtml(headers)) return page()
      throw error
    }

    async function signOnce() {
      const seen = await openLinkFor(db, token)
      // what nobody can be shown now could never be checked
      if (seen.document_sha256 !== null) await frozenPdf(services.files, seen.document_sha256)
      return transact(
        async tx => {
          const { link, budget } = await lockOpenLink(tx, token)
          assertNotExpired(budget)
          const documentHash = link.document_sha256 ?? fingerprintToSign(budget)
          if (body.documentHash !== documentHash) fail('SIGNED_DOCUMENT_DIFFERS')
          await setUsed(tx, link.id)
          return recordSignature(tx, nobody, budget, {
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
          })
        },
        { subject: seen.budget_id, changed: ['signatures'], detail: { linkId: seen.id } },
        organizationId,
      )
    }
  },
)

/** A signer is nobody of the organization. */
const nobody = { personId: '' }
