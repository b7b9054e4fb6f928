import { pathPrefix } from '#contract/operation.ts'
import { makeInstallAddress } from '#contract/studio/tools.ts'
import { query } from '#platform/http/operation.ts'
import { addressToken } from '../../../identity/index.ts'
import { organizationNow } from '../tool.sql.ts'

/** Creates a short-lived address with the rights of the token, for installers that send no headers. */
export const installAddress = query(makeInstallAddress, async ({ db, caller, services }) => {
  const { nowSeconds } = await organizationNow(db)
  const { text, expires } = addressToken(services.seals, caller, nowSeconds)
  return {
    url: `${services.publicUrl}${pathPrefix.personalTokenInUrl.replace(':address', text)}`,
    expiresAt: new Date(expires * 1000).toISOString(),
  }
})
