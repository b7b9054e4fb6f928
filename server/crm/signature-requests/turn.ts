import type { Tx } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import { queueMail } from '#platform/jobs/mail-queue.ts'
import type { Cipher } from '#platform/security/cipher.ts'
import type { NewSignature } from '../signatures/record.ts'
import { signingLinkMail } from '../signing/send.ts'
import { issueLinks } from './invite.ts'
import { queueCompletedMails } from './request-mails.ts'
import type { RequestSignerRow, SignatureRequestRow } from './signature-request.row.ts'
import { signersToInvite } from './signature-request.rules.ts'
import { requestOf, setSignerSignature, signersOf } from './signature-request.sql.ts'

/** The turn of a signer in a request of several. */
export type SigningTurn = {
  request: SignatureRequestRow
  signer: RequestSignerRow
  /** In order. */
  signers: RequestSignerRow[]
  /** Whether everybody else has signed. */
  isLast: boolean
}

/** The turn that a link gives, in a transaction that has locked its budget. Refuses SIGNING_LINK_NOT_VALID. */
export async function turnOfLink(tx: Tx, requestId: string, linkId: string): Promise<SigningTurn> {
  const [request, signers] = await Promise.all([requestOf(tx, requestId), signersOf(tx, [requestId])])
  const signer = signers.find(({ link_id }) => link_id === linkId)
  if (!signer || request?.status !== 'OPEN') fail('SIGNING_LINK_NOT_VALID')
  const isLast = signers.every(({ id, signature_id }) => id === signer.id || signature_id !== null)
  return { request, signer, signers, isLast }
}

/** The place of the signature of a turn. */
export function placeOf({
  request,
  signer,
  signers,
  isLast,
}: SigningTurn): NonNullable<NewSignature['place']> {
  return { requestId: request.id, number: signer.position, of: signers.length, isLast }
}

/**
 * Records who has signed. The signers whose turn it is now receive links by mail: the mails are queued in this transaction, so
 * that no crash can lose them. After the last signature, everybody receives the complete certificate.
 */
export async function endTurn(
  tx: Tx,
  cipher: Cipher,
  { request, signer, signers, isLast }: SigningTurn,
  signatureId: string,
): Promise<void> {
  await setSignerSignature(tx, signer.id, signatureId)
  const now = signers.map(each => (each.id === signer.id ? { ...each, signature_id: signatureId } : each))
  const mails = await issueLinks(tx, cipher, { request, signers: signersToInvite(now), actorId: null })
  for (const mail of mails) await queueMail(tx, signingLinkMail, mail)
  const earlier = signers.flatMap(({ signature_id }) => signature_id ?? [])
  if (isLast) await queueCompletedMails(tx, request.budget_id, earlier)
}
