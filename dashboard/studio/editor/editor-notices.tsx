import { CopyButton } from '../../parts/copy.tsx'
import { Notice } from '../../parts/states.tsx'
import { useWords } from '../../words/words.ts'
import { Conflict } from './conflict.tsx'
import styles from './editor.module.css'
import { editorTexts } from './editor.words.ts'
import type { EditedText } from './use-edited-text.ts'

/** Above the text: that the asset is gone, that somebody else has saved, or that the text is a draft of former days. */
export function EditorNotices({
  edit,
  hasGone,
  wasRestored,
}: {
  edit: EditedText
  hasGone: boolean
  wasRestored: boolean
}) {
  const text = useWords(editorTexts)
  if (hasGone)
    return (
      <div className={styles.notices}>
        <Notice kind="danger">
          <span className={styles.choices}>
            {text.gone}
            <CopyButton form="button" text={edit.edited.text} label={text.copyMine} />
          </span>
        </Notice>
      </div>
    )
  if (edit.theirs)
    return (
      <div className={styles.notices}>
        <Conflict edit={edit} theirs={edit.theirs} />
      </div>
    )
  if (wasRestored && edit.isDirty)
    return (
      <div className={styles.notices}>
        <Notice>{text.restored}</Notice>
      </div>
    )
  return null
}
