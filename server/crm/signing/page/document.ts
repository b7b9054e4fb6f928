import { openSealedSigningDocument, openSigningDocument } from '#contract/crm/signing-page.ts'
import { fail } from '#platform/fail.ts'
import { sendPdf } from '#platform/http/html-page.ts'
import { stream } from '#platform/http/operation.ts'
import { sealedPdfOf } from '../../seals/read.ts'
import { organizationOfToken, viewableLinkFor } from '../signing-link.access.ts'
import { readStoredPdf } from '../stored-pdf.ts'

/** Returns the exact bytes that are signed. */
export const openDocument = stream(openSigningDocument, async ({ params: { token }, services, reply }) => {
  const { document_sha256 } = await viewableLinkFor(services.database.of(organizationOfToken(token)), token)
  if (document_sha256 === null) fail('SIGNING_LINK_NOT_VALID')
  return sendPdf(reply, await readStoredPdf(services.files, document_sha256), 'presupuesto.pdf')
})

/** Returns the sealed document to the signer of a link. */
export const openSealedDocument = stream(
  openSealedSigningDocument,
  async ({ params: { token }, services, reply }) => {
    const db = services.database.of(organizationOfToken(token))
    const { budget_id, used_at } = await viewableLinkFor(db, token)
    if (used_at === null) fail('SEAL_NOT_FOUND')
    return sendPdf(reply, await sealedPdfOf(services.files, db, budget_id), 'presupuesto-sellado.pdf')
  },
)
