import { codeOf, textOfError } from '../../data/errors.ts'
import { Notice } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { editorTexts } from './editor.words.ts'
import { detailOf } from './error-detail.ts'

/** Why a text was not saved: a number that is taken, or what is wrong with the front matter. */
export function SaveError({ error }: { error: unknown }) {
  const text = useWords(editorTexts)
  const language = useLanguage()
  const { version, nextVersion, message } = detailOf(error)
  if (codeOf(error) === 'VERSION_EXISTS' && version && nextVersion)
    return <Notice kind="danger">{text.versionExists(version, nextVersion)}</Notice>
  return (
    <Notice kind="danger">
      <p>{textOfError(error, language)}</p>
      {message && <p>{message}</p>}
    </Notice>
  )
}
