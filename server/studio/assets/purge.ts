import { purgeAsset } from '#contract/studio/lifecycle.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import { lockRestorableAsset } from './asset.access.ts'
import { purgeDeletedAsset } from './asset-purge.sql.ts'

/** Removes a deleted asset permanently, before its retention time ends (AST-44). */
export const purge = command(purgeAsset, async ({ tx, caller, params: { id }, audit }) => {
  const asset = await lockRestorableAsset(tx, caller, id, 'admin')
  if (asset.listed) fail('ASSET_NOT_FOUND')
  await purgeDeletedAsset(tx, id)
  audit(id, ['purged'])
})
