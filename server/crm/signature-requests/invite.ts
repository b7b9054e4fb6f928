import type { Tx } from '#platform/data/db.ts'
import { newId } from '#platform/ids.ts'
import type { Cipher } from '#platform/security/cipher.ts'
import { type LinkMail, linkMailOf } from '../signing/send.ts'
import { insertEvents } from '../signing/signing-events.sql.ts'
import { insertLink, revokeLinkOf } from '../signing/signing-link.sql.ts'
import { digestOf, newToken } from '../signing/signing-link.token.ts'
import type { RequestSignerRow, SignatureRequestRow } from './signature-request.row.ts'
import { setSignerLink } from './signature-request.sql.ts'

type Invitation = {
  request: Pick<SignatureRequestRow, 'id' | 'budget_id' | 'document_id' | 'link_days' | 'created_by'>
  signers: readonly Pick<RequestSignerRow, 'id' | 'name' | 'email'>[]
  /** A member of the organization; null if the signature of somebody else made it their turn. */
  actorId: string | null
}

/**
 * Issues links to signers of a request, whose budget this transaction has locked. Returns the mails with the links: queue them in
 * this transaction.
 */
export async function issueLinks(
  tx: Tx,
  cipher: Cipher,
  { request, signers, actorId }: Invitation,
): Promise<LinkMail[]> {
  const mails: LinkMail[] = []
  for (const { id: signerId, name, email } of signers) {
    const linkId = newId()
    const token = newToken(tx.organizationId)
    // an expired link counts as the open one of its signer until it is revoked
    const revoked = await revokeLinkOf(tx, request.budget_id, email)
    if (revoked !== undefined)
      await insertEvents(tx, { budgetId: request.budget_id, linkId: revoked, kind: 'LINK_REVOKED', actorId })
    await insertLink(tx, {
      id: linkId,
      budgetId: request.budget_id,
      signerName: name,
      signerEmail: email,
      tokenDigest: digestOf(token),
      documentId: request.document_id,
      createdBy: request.created_by,
      days: request.link_days,
      requestId: request.id,
    })
    await setSignerLink(tx, signerId, linkId)
    await insertEvents(tx, { budgetId: request.budget_id, linkId, kind: 'LINK_ISSUED', actorId })
    mails.push(
      linkMailOf(tx, cipher, { budgetId: request.budget_id, linkId, token, actorId: request.created_by }),
    )
  }
  return mails
}
