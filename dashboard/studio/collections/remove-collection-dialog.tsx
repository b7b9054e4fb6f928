import { type Collection, listCollections, removeCollection } from '#contract/studio/collections.ts'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { useWords } from '../../words/words.ts'
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
  return (
    <ConfirmAction
      operation={removeCollection}
      input={{ params: { id: collection.id } }}
      // the collection itself is gone: reading it anew would fail
      refreshes={[listCollections]}
      title={text.removeTitle(collection.name)}
      action={text.removeAction}
      isDangerous
      onClose={onClose}
      toast={() => text.removed(collection.name)}
      onDone={() => onRemoved(collection)}
    >
      <p>{text.removeAbout}</p>
    </ConfirmAction>
  )
}
