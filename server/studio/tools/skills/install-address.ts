import { doorPrefix } from '#contract/operation.ts'
import { makeInstallAddress } from '#contract/studio/tools.ts'
import { reads } from '#platform/http/operation.ts'
import { addressToken } from '../../../identity/index.ts'
import { organizationNow } from '../tool.sql.ts'

/** Lends an installer that sends no headers what the token may read, for some minutes. */
export const installAddress = reads(makeInstallAddress, async ({ db, caller, world }) => {
  const { nowSeconds } = await organizationNow(db)
  const { text, expires } = addressToken(world.seals, caller, nowSeconds)
  return {
    url: `${world.publicUrl}${doorPrefix.toolByAddress.replace(':address', text)}`,
    expiresAt: new Date(expires * 1000).toISOString(),
  }
})
