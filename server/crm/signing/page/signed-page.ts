import type { Db } from '#platform/data/db.ts'
import type { HtmlPage } from '#platform/http/html-page.ts'
import type { Language } from '#platform/language.ts'
import { budgetFor } from '../../budgets/budget.access.ts'
import { sealOf } from '../../seals/budget-seal.sql.ts'
import { signersOfLink } from '../../signature-requests/signature-request.sql.ts'
import { signatureOfLink } from '../../signatures/signature.access.ts'
import type { OpenLink } from '../signing-link.access.ts'
import { signerList } from './signers.html.ts'
import { signedPage } from './signing-page.html.ts'

/** Renders the page of a used link. Refuses SIGNING_LINK_NOT_VALID if the link has no signature. */
export async function renderSignedPage(
  db: Db,
  language: Language,
  link: OpenLink,
  token: string,
): Promise<HtmlPage> {
  const [{ code }, signature, seal, signers] = await Promise.all([
    budgetFor(db, link.budget_id),
    signatureOfLink(db, link.budget_id, link.id),
    sealOf(db, link.budget_id),
    signersOfLink(db, link),
  ])
  return signedPage(language, {
    sender: link.sender,
    code,
    signerName: signature.signer_name,
    signedAt: signature.signed_at,
    documentHash: signature.document_hash,
    pdf: link.document_id && `/s/${token}/pdf`,
    sealed: seal ? (seal.sha256 ? `/s/${token}/sealed` : 'WAITING') : null,
    signers: signerList(language, signers, link.id),
    isPartial: signers.some(({ signature_id }) => signature_id === null),
  })
}
