import { limits } from '#contract/limits.ts'
import { type AuthKind, pathAt } from '#contract/operation.ts'
import type { PackageProfile } from '#contract/studio/packages.ts'
import { openPackage } from '#contract/studio/tools.ts'
import type { Seals } from '#platform/security/seals.ts'

/** A file that a tool installs: its version, name and profile. */
export type PackageFileRef = { versionId: string; file: string; profile: PackageProfile }
type Signed = PackageFileRef & { organization: string; expires: number }

/** The purpose names the format of the signed text; a new format needs a new name. */
const purpose = 'package address 1'
/** Addresses expire at half hours, so that an unchanged index stays identical for that long. */
const roundSeconds = 1_800

function sealedText({ organization, versionId, file, profile, expires }: Signed): string {
  return JSON.stringify([organization, versionId, file, profile, expires])
}

/** Path and query of a file for a tool that sends its token. */
export function tokenAddress(ref: PackageFileRef): string {
  return `${pathOf('personalToken', ref)}?${new URLSearchParams({ profile: ref.profile })}`
}

/** Path and query of a file for anyone, for about an hour. `nowSeconds`: time of the database in seconds since 1970. */
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

/** Whether the signature of an address is valid. Does not check the expiry. */
export function isSigned(seals: Seals, address: Signed & { signature: string }): boolean {
  return seals.isSealed(purpose, sealedText(address), address.signature)
}

function pathOf(auth: AuthKind, { versionId, file }: PackageFileRef): string {
  return pathAt(auth, openPackage).replace(':versionId', versionId).replace(':file', file)
}
