import { signByLink } from '#contract/crm/signing-page.ts'
import { fail } from '#platform/fail.ts'
import { languageOf, wantsPage } from '#platform/page.ts'
import { steps } from '#platform/serve.ts'
import { fingerprintToSign } from '../../signatures/fingerprint.ts'
import { recordSignature } from '../../signatures/record.ts'
import { lockOpenLink, openLinkFor, organizationNamedBy } from '../access.ts'
import { userAgentOf } from '../agent.ts'
import { consentHash } from '../consent.ts'
import { setUsed } from '../store.ts'
import { signedPage } from './pages.ts'

/** What was shown is signed, once: the frozen PDF (hashVersion 3) or, without one, the data of the budget (2). */
export const sign = steps(
  signByLink,
  async ({ params: { token }, body, headers, origin, world, transact }) => {
    const organizationId = organizationNamedBy(token)
    const seen = await openLinkFor(world.database.of(organizationId), token)
    const { code, link, signature } = await transact(
      async tx => {
        const { link, budget } = await lockOpenLink(tx, token)
        const documentHash = link.document_sha256 ?? fingerprintToSign(budget)
        if (body.documentHash !== documentHash) fail('SIGNED_DOCUMENT_DIFFERS')
        await setUsed(tx, link.id)
        const signature = await recordSignature(tx, nobody, budget, {
          ...{
            via: 'LINK',
            signedAt: null,
            documentHash,
            hashVersion: link.document_sha256 === null ? 2 : 3,
          },
          ...{ signerName: body.name.trim(), signerEmail: link.signer_email },
          ...{ ip: origin.ip, userAgent: userAgentOf(headers), consentHash: consentHash(body.consent) },
          link: { id: link.id, documentId: link.document_id },
        })
        return { code: budget.code, link, signature }
      },
      { subject: seen.budget_id, changed: ['signatures'], detail: { linkId: seen.id } },
      organizationId,
    )
    const { id, signed_at, signer_name, document_hash, hash_version } = signature
    if (!wantsPage(headers))
      return {
        signatureId: id,
        signedAt: signed_at,
        documentHash: document_hash,
        hashVersion: hash_version,
      }
    return signedPage(languageOf(headers), {
      ...{ code, signerName: signer_name, signedAt: signed_at, documentHash: document_hash },
      pdf: link.document_id && `/s/${token}/pdf`,
    })
  },
)

/** A signer is nobody of the organization. */
const nobody = { personId: '' }
