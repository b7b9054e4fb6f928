import { useAsset } from '#contract/studio/uses.ts'
import { emit } from '#platform/events/emit.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { readerOf } from './asset.access.ts'
import { insertUse } from './asset.sql.ts'

/** Records a use and increments the counter (USE-1, USE-3). */
export const use = command(useAsset, async ({ tx, caller, params: { id }, body, audit }) => {
  const counter = await insertUse(tx, readerOf(caller), { id: newId(), assetId: id, ...body })
  const { usage_count: usageCount } = counter ?? fail('ASSET_NOT_FOUND')
  emit(tx, caller, 'ai-asset.used', { assetId: id, usageCount })
  audit(id)
  return { id, usageCount }
})
