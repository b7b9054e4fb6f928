import { limits } from '#contract/limits.ts'
import { type Operation, pathAt } from '#contract/operation.ts'
import type { DocumentAddress } from '#contract/shapes.ts'
import { fail } from '#platform/fail.ts'
import { assertAllowed } from '#platform/http/admission.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { Services } from '#platform/services.ts'
import { callerFrom } from './callers.ts'
import { callerOfSessionUntil, databaseSeconds } from './session.sql.ts'

/** A document and the state of it that an address opens. */
export type AddressedDocument = {
  /** Such as `invoice`: an address of one kind opens no other kind. */
  kind: string
  id: string
  /** The time of its last change. */
  version: string
}
/** The query of an address: see `documentAddressQuery`. */
type AddressQuery = {
  organization: string
  person: string
  session: string
  version: string
  expires: number
  signature: string
}

/** The purpose names the format of the signed text; a new format needs a new name. */
const sealPurpose = 'document address 1'

function sealedText(
  { kind, id }: Pick<AddressedDocument, 'kind' | 'id'>,
  { organization, person, session, version, expires }: Omit<AddressQuery, 'signature'>,
): string {
  return JSON.stringify([kind, id, version, organization, person, session, expires])
}

type AddressServices = Pick<Services, 'database' | 'seals'>

/** Creates the address at which a browser of the caller opens a document without a header (ADDR-1). */
export async function documentAddress(
  { database, seals }: AddressServices,
  caller: Caller,
  document: AddressedDocument,
  opening: Pick<Operation, 'area' | 'path'>,
): Promise<DocumentAddress> {
  const { now_seconds } = await database.crossTenant.one(databaseSeconds)
  const expires = now_seconds + limits.documentAddressSeconds
  const claims = {
    organization: caller.organizationId,
    person: caller.personId,
    session: caller.sessionId,
    version: document.version,
    expires,
  }
  const signature = seals.seal(sealPurpose, sealedText(document, claims))
  const query = new URLSearchParams({ ...claims, expires: String(expires), signature })
  return {
    path: `${pathAt('public', opening).replace(':id', document.id)}?${query}`,
    expiresAt: new Date(expires * 1000).toISOString(),
  }
}

/**
 * The caller who opens an address of a document. Refuses DOCUMENT_ADDRESS_INVALID for an expired or changed address
 * and when its session has ended, and otherwise whatever `making`, the operation that made it, would refuse now
 * (ADDR-2, ADDR-3).
 */
export async function openerOf(
  { database, seals }: AddressServices,
  document: Pick<AddressedDocument, 'kind' | 'id'>,
  query: AddressQuery,
  making: Operation,
): Promise<Caller> {
  if (!seals.isSealed(sealPurpose, sealedText(document, query), query.signature))
    fail('DOCUMENT_ADDRESS_INVALID')
  const { session, person, organization, expires } = query
  const row =
    (await database.crossTenant.first(callerOfSessionUntil, {
      sessionId: session,
      personId: person,
      organizationId: organization,
      expires,
    })) ?? fail('DOCUMENT_ADDRESS_INVALID')
  const caller = callerFrom(row)
  assertAllowed(caller, 'session', making)
  return caller
}
