import { useMemo } from 'react'
import { Button } from '../../parts/button.tsx'
import { Difference } from '../../parts/difference.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { compareTexts } from './compare-texts.ts'
import styles from './editor.module.css'
import { editorTexts } from './editor.words.ts'
import type { Base, EditedText } from './use-edited-text.ts'

/** Somebody else saved in the meantime: what they changed, and the three ways on. Each can be undone. */
export function Conflict({ edit, theirs }: { edit: EditedText; theirs: Base }) {
  const text = useWords(editorTexts)
  const difference = useMemo(() => compareTexts(edit.base.text, theirs.text), [edit.base.text, theirs.text])
  const undoable = (label: string, run: () => string) => {
    const former = edit.current()
    showToast({
      kind: 'info',
      text: [label, run()].filter(Boolean).join(' '),
      action: { label: text.undo, onPress: () => edit.restore(former) },
    })
  }
  return (
    <Notice kind="warn">
      <div className={styles.conflict} role="alert">
        <p className={styles.fieldName}>{text.conflictTitle(theirs.version)}</p>
        <p>{text.conflictAbout}</p>
        <div className={styles.choices}>
          <Button
            size="small"
            onPress={() =>
              undoable(text.merged, () => {
                const clashes = edit.mergeBoth({ mine: text.mineName, theirs: theirs.version })
                return clashes > 0 ? text.mergedClashes(clashes) : ''
              })
            }
          >
            {text.together}
          </Button>
          <Button size="small" onPress={edit.keepMine}>
            {text.mine}
          </Button>
          <Button
            size="small"
            kind="quiet"
            onPress={() =>
              undoable(text.tookTheirs, () => {
                edit.takeTheirs()
                return ''
              })
            }
          >
            {text.theirs}
          </Button>
        </div>
        {difference && <Difference label={text.theirsLabel} difference={difference} />}
      </div>
    </Notice>
  )
}
