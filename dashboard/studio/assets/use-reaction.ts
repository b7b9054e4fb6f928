import { listAssets, readAsset } from '#contract/studio/assets.ts'
import { thumbsDownAsset, thumbsUpAsset } from '#contract/studio/uses.ts'
import { useAction } from '../../data/read.ts'
import { usePatch } from '../../data/use-patch.ts'
import type { Asset } from './asset.ts'
import { type Reaction, reacted } from './reaction.rules.ts'

/** Reacts to an asset. The screen shows it before the server has answered; a failure takes it back. */
export function useReaction(asset: Asset): (reaction: Reaction) => void {
  const up = useAction(thumbsUpAsset, { refreshes: [] })
  const down = useAction(thumbsDownAsset, { refreshes: [] })
  const patch = usePatch(listAssets, readAsset)
  return reaction => {
    const { id, myReaction, thumbsUp, thumbsDown } = asset
    if (myReaction === reaction) return
    patch(id, reacted(asset, reaction))
    const { mutate } = reaction === 'POSITIVE' ? up : down
    mutate(
      { params: { id } },
      {
        onSuccess: counted => patch(id, { thumbsUp: counted.thumbsUp, thumbsDown: counted.thumbsDown }),
        onError: () => patch(id, { myReaction, thumbsUp, thumbsDown }),
        toastsFailure: true,
      },
    )
  }
}
