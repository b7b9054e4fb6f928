import { pathAt } from '#contract/endpoint.ts'
import { callMcp } from '#contract/studio/tools.ts'
import { recordChange } from '#platform/audit.ts'
import type { Caller, Origin } from '#platform/caller.ts'
import type { Db } from '#platform/db/database.ts'
import { emit } from '#platform/emit.ts'
import { newId } from '#platform/ids.ts'
import type { World } from '#platform/serve.ts'
import { readerOf } from '../../assets/access.ts'
import { insertUse } from '../../assets/store.ts'

/** What a call has to work with. */
export type Given = { db: Db; caller: Caller; origin: Origin; world: World }

const operation = `POST ${pathAt('tool', callMcp)}`

/** Records that the caller's tool fetched an asset. False, with nothing recorded, when it cannot be read any more. */
export async function recordUse({ caller, origin, world }: Given, assetId: string): Promise<boolean> {
  const isRecorded = await world.database.transact(
    caller.organizationId,
    async tx => {
      const counted = await insertUse(tx, readerOf(caller), { id: newId(), assetId })
      if (counted) emit(tx, caller, 'ai-asset.used', { assetId, usageCount: counted.usage_count })
      return counted !== undefined
    },
    async tx => {
      if (tx.said.events.length > 0) await recordChange(tx, caller, origin, operation, { subject: assetId })
    },
  )
  if (isRecorded) world.signal?.changed()
  return isRecorded
}
