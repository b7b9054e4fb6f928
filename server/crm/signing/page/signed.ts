import type { Db } from '#platform/db/database.ts'
import type { Language } from '#platform/language.ts'
import type { Page } from '#platform/page.ts'
import { budgetFor } from '../../budgets/access.ts'
import { signatureOfLink } from '../../signatures/access.ts'
import type { OpenLink } from '../access.ts'
import { signedPage } from './pages.ts'

/** What whoever signed with a link is shown. Refuses SIGNING_LINK_NOT_VALID when nobody did. */
export async function pageOfSigned(db: Db, language: Language, link: OpenLink, token: string): Promise<Page> {
  const [{ code }, signature] = await Promise.all([
    budgetFor(db, link.budget_id),
    signatureOfLink(db, link.budget_id, link.id),
  ])
  return signedPage(language, {
    ...{ code, signerName: signature.signer_name, signedAt: signature.signed_at },
    documentHash: signature.document_hash,
    pdf: link.document_id && `/s/${token}/pdf`,
  })
}
