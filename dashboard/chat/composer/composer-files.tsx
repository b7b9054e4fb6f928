import { IconButton } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { sizeText } from '../../parts/number-text.ts'
import { Progress } from '../../parts/progress.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './composer.module.css'
import { composerTexts } from './composer.words.ts'
import type { WaitingFile } from './use-files.ts'

/** The files of the message that is being written. */
export function ComposerFiles({
  files,
  onRemove,
}: {
  files: readonly WaitingFile[]
  onRemove: (file: WaitingFile) => void
}) {
  const text = useWords(composerTexts)
  const language = useLanguage()
  if (files.length === 0) return null
  return (
    <ul className={styles.files}>
      {files.map(file => (
        <li key={file.key} className={styles.file} data-failed={file.error !== undefined || undefined}>
          <Icon name={file.error ? 'failed' : 'file'} />
          <span className={styles.fileWords}>
            <span className={styles.fileName}>{file.name}</span>
            {file.error && <span className={styles.error}>{file.error}</span>}
            {file.progress !== undefined && (
              <Progress label={text.uploading(file.name)} value={file.progress} isLabelHidden />
            )}
          </span>
          <span className={styles.size}>{sizeText(file.bytes, language)}</span>
          <IconButton
            icon="close"
            size="small"
            label={text.removeFile(file.name)}
            onPress={() => onRemove(file)}
          />
        </li>
      ))}
    </ul>
  )
}
