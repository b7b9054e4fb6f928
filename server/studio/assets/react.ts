import { thumbsDownAsset, thumbsUpAsset } from '#contract/studio/uses.ts'
import type { Tx } from '#platform/data/db.ts'
import { emit } from '#platform/events/emit.ts'
import { fail } from '#platform/fail.ts'
import type { Caller } from '#platform/http/caller.ts'
import { command } from '#platform/http/operation.ts'
import { readerOf } from './asset.access.ts'
import { setReaction } from './asset.sql.ts'

/** A person has one reaction to an asset (USE-4). Repeating it changes nothing (USE-6). */
export const thumbsUp = command(thumbsUpAsset, async ({ tx, caller, params: { id }, audit }) => {
  audit(id)
  return react(tx, caller, id, true)
})

export const thumbsDown = command(thumbsDownAsset, async ({ tx, caller, params: { id }, audit }) => {
  audit(id)
  return react(tx, caller, id, false)
})

async function react(tx: Tx, caller: Caller, id: string, positive: boolean) {
  const reaction = (await setReaction(tx, readerOf(caller), id, positive)) ?? fail('ASSET_NOT_FOUND')
  const { thumbs_up: thumbsUp, thumbs_down: thumbsDown, changed } = reaction
  if (changed) emit(tx, caller, 'ai-asset.reacted', { assetId: id, thumbsUp, thumbsDown })
  return { id, thumbsUp, thumbsDown }
}
