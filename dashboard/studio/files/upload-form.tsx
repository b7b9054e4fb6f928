import { FileTrigger } from 'react-aria-components'
import { studioLimits } from '#contract/studio/limits.ts'
import { Button } from '../../parts/button.tsx'
import { filesOfInput } from '../../parts/dropped-files.ts'
import { TextField } from '../../parts/field.tsx'
import { FileDrop } from '../../parts/file-drop.tsx'
import { countText, sizeText } from '../../parts/number-text.ts'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './files.module.css'
import { fileTexts } from './files.words.ts'
import type { useUploads } from './use-uploads.ts'

/** Where a person chooses files or a folder to attach, and the uploads that are under way or failed. */
export function UploadForm({
  uploads,
  folder,
  onFolder,
}: {
  uploads: ReturnType<typeof useUploads>
  /** The folder below which the files are put. */
  folder: string
  onFolder: (folder: string) => void
}) {
  const text = useWords(fileTexts)
  const language = useLanguage()
  const { fileBytes, versionBytes, filesPerVersion } = studioLimits
  return (
    <section className={styles.upload} aria-label={text.upload}>
      <div className={styles.folder}>
        <TextField
          label={text.folder}
          placeholder={text.folderExample}
          value={folder}
          onChange={onFolder}
          maxLength={studioLimits.filePathBytes}
          autoComplete="off"
          spellCheck="false"
        />
        <FileTrigger acceptDirectory onSelect={list => list && uploads.add(filesOfInput(list), folder)}>
          <Button>{text.uploadFolder}</Button>
        </FileTrigger>
      </div>
      <FileDrop
        label={text.upload}
        hint={text.limits(
          sizeText(fileBytes, language),
          sizeText(versionBytes, language),
          countText(filesPerVersion, language),
        )}
        onFiles={files => uploads.add(filesOfInput(files), folder)}
        files={uploads.shown}
        onRemove={uploads.remove}
      />
    </section>
  )
}
