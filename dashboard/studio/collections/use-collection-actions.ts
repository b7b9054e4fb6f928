import {
  type Collection,
  createCollection,
  removeCollection,
  updateCollection,
} from '#contract/studio/collections.ts'
import { useMay } from '../../data/organization.tsx'
import type { Shortcuts } from '../../data/shortcuts.ts'
import type { MenuEntry } from '../../parts/menu.tsx'
import { useWords } from '../../words/words.ts'
import { hasRoomBelow } from './collection.rules.ts'
import type { OpenDialog } from './collection-dialogs.tsx'
import { collectionTexts } from './collections.words.ts'

/** The actions of a collection that the person may use: as entries of a menu and as keys. */
export function useCollectionActions(open: (dialog: OpenDialog) => void) {
  const text = useWords(collectionTexts)
  const may = useMay()
  function entriesOf(collection: Collection): MenuEntry[] {
    const hasRoom = hasRoomBelow(collection)
    const hasChildren = collection.childCount > 0
    return [
      ...(may(updateCollection)
        ? [
            {
              id: 'edit',
              label: text.edit,
              icon: 'edit' as const,
              shortcut: 'e',
              onAction: () => open({ kind: 'edit', collection }),
            },
            {
              id: 'move',
              label: text.move,
              icon: 'collections' as const,
              shortcut: 'm',
              onAction: () => open({ kind: 'move', collection }),
            },
          ]
        : []),
      ...(may(createCollection)
        ? [
            {
              id: 'create',
              label: text.createInside,
              icon: 'plus' as const,
              isDisabled: !hasRoom,
              ...(!hasRoom && { hint: text.noRoom }),
              onAction: () => open({ kind: 'create', parent: collection }),
            },
          ]
        : []),
      ...(may(removeCollection)
        ? [
            {
              id: 'remove',
              label: text.remove,
              icon: 'trash' as const,
              isDangerous: true,
              isDisabled: hasChildren,
              ...(hasChildren && { hint: text.hasChildren }),
              onAction: () => open({ kind: 'remove', collection }),
            },
          ]
        : []),
    ]
  }
  function keysOf(collection: Collection): Shortcuts {
    if (!may(updateCollection)) return {}
    return {
      e: { label: text.edit, action: () => open({ kind: 'edit', collection }) },
      m: { label: text.move, action: () => open({ kind: 'move', collection }) },
    }
  }
  return { may, entriesOf, keysOf }
}
