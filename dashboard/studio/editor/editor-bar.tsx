import { useNavigate } from '@tanstack/react-router'
import { studioLimits } from '#contract/studio/limits.ts'
import { IconButton } from '../../parts/button.tsx'
import { decimalText } from '../../parts/number-text.ts'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './editor.module.css'
import { editorTexts } from './editor.words.ts'
import type { EditedText } from './use-edited-text.ts'

export type EditorView = 'markdown' | 'form' | 'preview'
/** A text that is this long shows how much room is left. */
const countedFrom = 0.8

/** Above the text: how it is edited, and whether it is saved. */
export function EditorBar({
  view,
  onView,
  edit,
}: {
  view: EditorView
  onView: (view: EditorView) => void
  edit: EditedText
}) {
  const text = useWords(editorTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const { isDirty, edited, draft } = edit
  const isStored = draft.values?.text === edited.text && draft.values.description === edited.description
  const count = (value: number) => decimalText(value, 0, language)
  const button = (id: EditorView, label: string) => (
    <button
      type="button"
      className={styles.view}
      data-id={id}
      aria-pressed={view === id}
      onClick={() => onView(id)}
    >
      {label}
    </button>
  )
  return (
    <div className={styles.bar}>
      <fieldset aria-label={text.views} className={styles.views}>
        {button('markdown', text.markdown)}
        {button('form', text.form)}
        {button('preview', text.preview)}
      </fieldset>
      <span className={styles.state} role="status">
        {isDirty ? (
          draft.savedAt === undefined || !isStored ? (
            text.unsaved
          ) : (
            <>
              {text.stored} · <Time value={draft.savedAt} />
            </>
          )
        ) : (
          text.allSaved
        )}
        {edited.text.length > studioLimits.assetBody * countedFrom && (
          <> · {text.characters(count(edited.text.length), count(studioLimits.assetBody))}</>
        )}
      </span>
      <IconButton
        icon="close"
        label={text.close}
        onPress={() => void navigate({ to: '.', search: former => ({ ...former, edit: undefined }) })}
      />
    </div>
  )
}
