import { studioLimits } from '#contract/studio/limits.ts'
import { useWords } from '../../words/words.ts'
import { editorTexts } from './editor.words.ts'
import { hasMarkers } from './merge.rules.ts'
import type { EditedText } from './use-edited-text.ts'
import { partsOf } from './whole-text.rules.ts'

/** Why the text cannot be saved now; undefined if it can. */
export function useObstacle(edit: EditedText, hasGone: boolean): string | undefined {
  const text = useWords(editorTexts)
  if (hasGone) return text.gone
  if (edit.theirs) return text.chooseFirst
  const parts = partsOf(edit.edited.text)
  if (!parts) return text.unclosed
  if (parts.bodyMarkdown.length > studioLimits.assetBody) return text.tooLong
  // lines of equal signs are usual in Markdown: only a text that was brought together has all marks
  if (edit.edited.text.includes('<<<<<<< ') && hasMarkers(edit.edited.text)) return text.markers
  return undefined
}
