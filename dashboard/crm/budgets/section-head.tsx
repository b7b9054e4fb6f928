import type { KeyboardEvent } from 'react'
import { crmLimits } from '#contract/crm/limits.ts'
import { IconButton } from '../../parts/button.tsx'
import { useWords } from '../../words/words.ts'
import type { SectionForm } from './budget-form.ts'
import { editorTexts } from './editor.words.ts'
import { cellColumns } from './item-cells.ts'
import styles from './items-table.module.css'

/** The first row of a section of the editor: its title, and a button that removes it. */
export function SectionHead({
  section,
  number,
  onChange,
  onRemove,
}: {
  section: SectionForm
  number: number
  onChange: (title: string) => void
  onRemove: () => void
}) {
  const text = useWords(editorTexts)
  return (
    <tr className={styles.section}>
      <th scope="rowgroup" colSpan={cellColumns.length + 1}>
        <input
          className={styles.cell}
          aria-label={text.sectionTitle(number)}
          placeholder={text.sectionTitle(number)}
          maxLength={crmLimits.budgetTitle}
          autoComplete="off"
          value={section.title}
          onChange={event => onChange(event.target.value)}
          onKeyDown={(event: KeyboardEvent) =>
            event.key === 'Enter' && !event.ctrlKey && event.preventDefault()
          }
        />
      </th>
      <td className={styles.menu}>
        <IconButton icon="trash" size="small" label={text.removeSection(number)} onPress={onRemove} />
      </td>
    </tr>
  )
}
