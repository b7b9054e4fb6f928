import type { RequestSigner, SignatureRequest } from '#contract/crm/signature-requests.ts'
import { fail } from '#platform/fail.ts'
import type { RequestSignerRow, SignatureRequestRow } from './signature-request.row.ts'

type Turn = Pick<RequestSignerRow, 'id' | 'signing_order' | 'link_id' | 'signature_id'>

/** The signers who have not signed and whose turn it is: those with the lowest order. */
export function signersWithTurn<Signer extends Turn>(signers: readonly Signer[]): Signer[] {
  const unsigned = signers.filter(({ signature_id }) => signature_id === null)
  const lowest = Math.min(...unsigned.map(({ signing_order }) => signing_order))
  return unsigned.filter(({ signing_order }) => signing_order === lowest)
}

/** Those of them who have no link yet. */
export function signersToInvite<Signer extends Turn>(signers: readonly Signer[]): Signer[] {
  return signersWithTurn(signers).filter(({ link_id }) => link_id === null)
}

/** The status of a signer. A signature takes precedence over everything that happened to the request. */
export function statusOfSigner(
  request: Pick<SignatureRequestRow, 'status'>,
  signer: RequestSignerRow,
): RequestSigner['status'] {
  if (signer.signature_id !== null) return 'SIGNED'
  if (signer.declined_at !== null) return 'DECLINED'
  if (signer.is_expired) return 'EXPIRED'
  if (request.status !== 'OPEN') return 'STOPPED'
  if (signer.link_id === null) return 'WAITING'
  return signer.viewed_at === null ? 'INVITED' : 'VIEWED'
}

/** Refuses SIGNATURE_REQUEST_ENDED for a request that is not open. */
export function assertRequestOpen({ status }: { status: SignatureRequest['status'] }): void {
  if (status !== 'OPEN') fail('SIGNATURE_REQUEST_ENDED')
}

/** Refuses VALIDATION_ERROR if two signers have the same address. `pathOf`: the path of an address in the request body. */
export function assertDistinctAddresses(emails: readonly string[], pathOf: (index: number) => string): void {
  const known = new Set<string>()
  for (const [index, email] of emails.entries()) {
    const address = email.toLowerCase()
    if (known.has(address))
      fail('VALIDATION_ERROR', {
        details: [{ path: pathOf(index), code: 'unique', message: 'is the address of another signer' }],
      })
    known.add(address)
  }
}
