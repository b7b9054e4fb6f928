import { countAssetUses } from '#contract/studio/uses.ts'
import { nowMs } from '#platform/clock.ts'
import { fail } from '#platform/fail.ts'
import { query } from '#platform/http/operation.ts'
import { required } from '#platform/required.ts'
import { readerOf } from './asset.access.ts'
import { countUsesByDay } from './asset.sql.ts'

const dayMs = 86_400_000

/** Counts the uses of an asset on each of the last days (USE-11). */
export const countUses = query(countAssetUses, async ({ db, caller, params, query: { days = 30 } }) => {
  const today = Math.floor(nowMs() / dayMs)
  const first = today - days + 1
  const starts = Array.from({ length: days + 1 }, (_, at) => (first + at) * dayMs)
  const counts = await countUsesByDay(db, readerOf(caller), params.id, starts)
  if (counts.length === 0) fail('ASSET_NOT_FOUND')
  return {
    days: counts.map((uses, at) => ({
      day: new Date(required(starts[at], 'the start of a day')).toISOString().slice(0, 10),
      uses,
    })),
  }
})
