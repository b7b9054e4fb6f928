import { listAssets, removeAsset } from '#contract/studio/assets.ts'
import { archiveAsset } from '#contract/studio/lifecycle.ts'
import { textOfError } from '../../data/errors.ts'
import { useAction } from '../../data/read.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import type { AnyAsset } from './asset.ts'
import { assetActionTexts } from './asset-action.words.ts'

type Props = { asset: AnyAsset; onClose: () => void }

/** Asks before an asset is archived. */
export function ArchiveDialog({ asset: { id, name }, onClose }: Props) {
  const text = useWords(assetActionTexts)
  const language = useLanguage()
  const archive = useAction(archiveAsset)
  return (
    <Confirm
      title={text.archiveQuestion(name)}
      action={text.archiveAction}
      isOpen
      isBusy={archive.isPending}
      onClose={onClose}
      onConfirm={() =>
        archive.mutate(
          { params: { id } },
          {
            onSuccess: () => {
              showToast({ text: text.archived(name) })
              onClose()
            },
          },
        )
      }
      {...(archive.error && { error: <Notice kind="danger">{textOfError(archive.error, language)}</Notice> })}
    >
      {text.archiveAbout}
    </Confirm>
  )
}

/** Asks before an asset is deleted. */
export function RemoveDialog({
  asset: { id, name },
  onClose,
  onRemoved,
}: Props & { onRemoved?: () => void }) {
  const text = useWords(assetActionTexts)
  const language = useLanguage()
  // its details are gone, and must not be read anew
  const remove = useAction(removeAsset, { refreshes: [listAssets] })
  return (
    <Confirm
      title={text.removeQuestion(name)}
      action={text.removeAction}
      isOpen
      isDangerous
      isBusy={remove.isPending}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(
          { params: { id } },
          {
            onSuccess: () => {
              showToast({ text: text.removed(name) })
              onClose()
              onRemoved?.()
            },
          },
        )
      }
      {...(remove.error && { error: <Notice kind="danger">{textOfError(remove.error, language)}</Notice> })}
    >
      {text.removeAbout}
    </Confirm>
  )
}
