import { pathAt } from '#contract/operation.ts'
import { callMcp } from '#contract/studio/tools.ts'
import type { Db } from '#platform/data/db.ts'
import { recordOutbox } from '#platform/events/audit.ts'
import { emit } from '#platform/events/emit.ts'
import type { Caller, Origin } from '#platform/http/caller.ts'
import { newId } from '#platform/ids.ts'
import type { OutboxServices, Services } from '#platform/services.ts'
import { readerOf } from '../../assets/asset.access.ts'
import { insertUse } from '../../assets/asset.sql.ts'

type McpServices = OutboxServices & Pick<Services, 'files' | 'publicUrl'>

/** The context of an MCP call. */
export type McpContext = { db: Db; caller: Caller; origin: Origin; services: McpServices }

const operation = `POST ${pathAt('personalToken', callMcp)}`

/** Records a use of an asset by the caller's tool. False, without a record, if the asset is no longer readable. */
export async function recordUse({ caller, origin, services }: McpContext, assetId: string): Promise<boolean> {
  const isRecorded = await services.database.transact(
    caller.organizationId,
    async tx => {
      const counted = await insertUse(tx, readerOf(caller), { id: newId(), assetId })
      if (counted) emit(tx, caller, 'ai-asset.used', { assetId, usageCount: counted.usage_count })
      return counted !== undefined
    },
    async tx => {
      if (tx.pending.events.length > 0)
        await recordOutbox(tx, caller, origin, operation, { subject: assetId })
    },
  )
  if (isRecorded) services.wakeUp?.changed()
  return isRecorded
}
