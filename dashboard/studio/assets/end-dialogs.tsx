import { listAssets, removeAsset } from '#contract/studio/assets.ts'
import { archiveAsset } from '#contract/studio/lifecycle.ts'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { useWords } from '../../words/words.ts'
import type { AnyAsset } from './asset.ts'
import { assetActionTexts } from './asset-action.words.ts'

type Props = { asset: AnyAsset; onClose: () => void }

/** Asks before an asset is archived. */
export function ArchiveDialog({ asset: { id, name }, onClose }: Props) {
  const text = useWords(assetActionTexts)
  return (
    <ConfirmAction
      operation={archiveAsset}
      input={{ params: { id } }}
      title={text.archiveQuestion(name)}
      action={text.archiveAction}
      onClose={onClose}
      toast={() => text.archived(name)}
    >
      {text.archiveAbout}
    </ConfirmAction>
  )
}

/** Asks before an asset is deleted. */
export function RemoveDialog({
  asset: { id, name },
  onClose,
  onRemoved,
}: Props & { onRemoved?: () => void }) {
  const text = useWords(assetActionTexts)
  return (
    <ConfirmAction
      operation={removeAsset}
      input={{ params: { id } }}
      // its details are gone, and must not be read anew
      refreshes={[listAssets]}
      title={text.removeQuestion(name)}
      action={text.removeAction}
      isDangerous
      onClose={onClose}
      toast={() => text.removed(name)}
      onDone={onRemoved}
    >
      {text.removeAbout}
    </ConfirmAction>
  )
}
