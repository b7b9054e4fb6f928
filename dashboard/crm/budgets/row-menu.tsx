import { MoreMenu } from '../../parts/more-menu.tsx'
import { useWords } from '../../words/words.ts'
import { editorTexts } from './editor.words.ts'
import type { ItemRow } from './item-cells.ts'
import type { RowActions } from './row-actions.ts'

/** The menu of a row of the editor: its description, whether it is optional, and its place. */
export function RowMenu({
  row,
  number,
  hasDescription,
  onDescription,
  actions,
}: {
  row: ItemRow
  number: number
  hasDescription: boolean
  onDescription: () => void
  actions: Pick<RowActions, 'change' | 'duplicate' | 'move' | 'remove'>
}) {
  const text = useWords(editorTexts)
  return (
    <MoreMenu
      label={text.rowActions(number)}
      size="small"
      groups={[
        {
          id: 'content',
          entries: [
            {
              id: 'description',
              label: hasDescription ? text.removeDescription : text.addDescription,
              onAction: onDescription,
            },
            {
              id: 'optional',
              label: row.optional ? text.makeFixed : text.makeOptional,
              onAction: () => actions.change({ ...row, optional: !row.optional, selected: true }),
            },
          ],
        },
        {
          id: 'rows',
          entries: [
            {
              id: 'duplicate',
              label: text.duplicateRow,
              shortcut: 'mod+d',
              onAction: () => actions.duplicate(row.key),
            },
            {
              id: 'up',
              label: text.moveUp,
              shortcut: 'Alt+up',
              onAction: () => actions.move(row.key, -1),
            },
            {
              id: 'down',
              label: text.moveDown,
              shortcut: 'Alt+down',
              onAction: () => actions.move(row.key, 1),
            },
            {
              id: 'remove',
              label: text.removeRow,
              isDangerous: true,
              onAction: () => actions.remove(row.key),
            },
          ],
        },
      ]}
    />
  )
}
