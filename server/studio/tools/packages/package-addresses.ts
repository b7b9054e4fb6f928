import { limits } from '#contract/limits.ts'
import { type AuthKind, pathAt } from '#contract/operation.ts'
import type { PackageProfile } from '#contract/studio/packages.ts'
import { openPackage } from '#contract/studio/tools.ts'
import type { Seals } from '#platform/security/seals.ts'

/** A file that a tool installs: of which version, under which name, made for whom. */
export type PackageFileRef = { versionId: string; file: string; profile: PackageProfile }
type Signed = PackageFileRef & { organization: string; expires: number }

/** Names the form of the sealed text as well: another one takes another name. */
const purpose = 'package address 1'
/** Addresses end at full half hours, so that an index that did not change is the same for that long. */
const roundSeconds = 1_800

function sealedText({ organization, versionId, file, profile, expires }: Signed): string {
  return JSON.stringify([organization, versionId, file, profile, expires])
}

/** Where a tool that sends its token finds a file: the path, with its query. */
export function tokenAddress(ref: PackageFileRef): string {
  return `${pathOf('personalToken', ref)}?${new URLSearchParams({ profile: ref.profile })}`
}

/** Where anybody finds it for about an hour. `nowSeconds`: since 1970, by the database. */
export function signedAddress(
  seals: Seals,
  organization: string,
  nowSeconds: number,
  ref: PackageFileRef,
): string {
  const expires = Math.ceil(nowSeconds / roundSeconds) * roundSeconds + limits.packageAddressMinutes * 60
  const signature = seals.seal(purpose, sealedText({ ...ref, organization, expires }))
  const query = new URLSearchParams({
    profile: ref.profile,
    organization,
    expires: String(expires),
    signature,
  })
  return `${pathOf('public', ref)}?${query}`
}

/** True when the address was made by signedAddress and not changed; not whether its time is over. */
export function isSigned(seals: Seals, address: Signed & { signature: string }): boolean {
  return seals.isSealed(purpose, sealedText(address), address.signature)
}

function pathOf(auth: AuthKind, { versionId, file }: PackageFileRef): string {
  return pathAt(auth, openPackage).replace(':versionId', versionId).replace(':file', file)
}
