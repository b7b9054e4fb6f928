import { type Collection, listCollections, removeCollection } from '#contract/studio/collections.ts'
import { textOfError } from '../../data/errors.ts'
import { useAction } from '../../data/read.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { collectionDialogTexts } from './collections.words.ts'

/** Asks before a collection is deleted; its assets stay. */
export function RemoveCollectionDialog({
  collection,
  onClose,
  onRemoved,
}: {
  collection: Collection
  onClose: () => void
  onRemoved: (removed: Collection) => void
}) {
  const text = useWords(collectionDialogTexts)
  const language = useLanguage()
  // the collection itself is gone: reading it anew would fail
  const remove = useAction(removeCollection, { refreshes: [listCollections] })
  return (
    <Confirm
      title={text.removeTitle(collection.name)}
      action={text.removeAction}
      isDangerous
      isOpen
      onClose={onClose}
      isBusy={remove.isPending}
      error={remove.error && <Notice kind="danger">{textOfError(remove.error, language)}</Notice>}
      onConfirm={() =>
        remove.mutate(
          { params: { id: collection.id } },
          {
            onSuccess: () => {
              showToast({ text: text.removed(collection.name) })
              onClose()
              onRemoved(collection)
            },
          },
        )
      }
    >
      <p>{text.removeAbout}</p>
    </Confirm>
  )
}
