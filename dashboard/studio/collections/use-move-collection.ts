import {
  type Collection,
  listCollections,
  readCollection,
  updateCollection,
} from '#contract/studio/collections.ts'
import { needErrorTexts, textOfError } from '../../data/errors.ts'
import { useAction } from '../../data/read.ts'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { collectionTexts } from './collections.words.ts'

/**
 * Moves a collection into another one, or to the top with null. A toast says so and offers to undo it, or says why the server
 * refused.
 */
export function useMoveCollection(
  collections: readonly Collection[],
): (moved: Collection, into: Collection | null) => Promise<void> {
  const text = useWords(collectionTexts)
  const language = useLanguage()
  const update = useAction(updateCollection, { refreshes: [listCollections, readCollection] })
  async function move(moved: Collection, into: Collection | null, isUndone = false): Promise<void> {
    try {
      await update.mutateAsync({ params: { id: moved.id }, body: { parentId: into?.id ?? null } })
    } catch (error) {
      await needErrorTexts(language)
      return showToast({ kind: 'failed', text: textOfError(error, language) })
    }
    const former = collections.find(({ id }) => id === moved.parentId) ?? null
    const undo = { label: text.undo, onPress: () => void move(moved, former, true) }
    const words = into ? text.moved(moved.name, into.name) : text.movedUp(moved.name)
    showToast({ text: words, ...(!isUndone && { action: undo }) })
  }
  return move
}
