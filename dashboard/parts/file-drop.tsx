import { Button as AriaButton, DropZone, FileTrigger, isFileDropItem, Text } from 'react-aria-components'
import { useLanguage, useWords, words } from '../words/words.ts'
import { Button, IconButton } from './button.tsx'
import styles from './file-drop.module.css'
import { Icon } from './icon.tsx'
import { sizeText } from './number-text.ts'
import { Progress } from './progress.tsx'

const texts = words({
  es: {
    drop: 'Suelta archivos aquí o ',
    dropOne: 'Suelta un archivo aquí o ',
    choose: 'elige',
    remove: (name: string) => `Quitar ${name}`,
  },
  en: {
    drop: 'Drop files here or ',
    dropOne: 'Drop a file here or ',
    choose: 'choose',
    remove: (name: string) => `Remove ${name}`,
  },
})

export type UploadedFile = {
  id: string
  name: string
  bytes: number
  /** Between 0 and 1 during the upload; undefined before and after. */
  progress?: number
  /** Why the file was refused. */
  error?: string
  /** A way out for the person: try again, replace a file. */
  action?: { label: string; onPress: () => void }
}

export type FileDropProps = {
  label: string
  /** The accepted kinds and the largest size. */
  hint?: string
  /** The media types that a person may choose; the server checks them too. */
  accepts?: readonly string[]
  /** Takes one file at a time. */
  isSingle?: boolean
  onFiles: (files: readonly File[]) => void
  files?: readonly UploadedFile[]
  onRemove?: (id: string) => void
}

/** An area where a person drops, pastes or chooses files, and a list of these with their progress. */
export function FileDrop({
  label,
  hint,
  accepts,
  isSingle = false,
  onFiles,
  files = [],
  onRemove,
}: FileDropProps) {
  const { drop, dropOne, choose, remove } = useWords(texts)
  const language = useLanguage()
  return (
    <div className={styles.place}>
      <DropZone
        aria-label={label}
        className={styles.zone}
        onDrop={async ({ items }) => {
          const dropped = await Promise.all(items.filter(isFileDropItem).map(item => item.getFile()))
          if (dropped.length > 0) onFiles(dropped)
        }}
      >
        <Icon name="attachment" className={styles.icon} />
        <span>
          <Text slot="label">{isSingle ? dropOne : drop}</Text>
          <FileTrigger
            allowsMultiple={!isSingle}
            {...(accepts && { acceptedFileTypes: accepts })}
            onSelect={list => list && onFiles([...list])}
          >
            <AriaButton className={styles.choose}>{choose}</AriaButton>
          </FileTrigger>
        </span>
        {hint && <span className={styles.hint}>{hint}</span>}
      </DropZone>
      {files.length > 0 && (
        <ul className={styles.files}>
          {files.map(file => (
            <li key={file.id} className={styles.file}>
              <Icon name={file.error ? 'failed' : 'file'} className={file.error ? styles.bad : styles.icon} />
              <div className={styles.about}>
                <span className={styles.name}>{file.name}</span>
                {file.error && <span className={styles.error}>{file.error}</span>}
                {file.progress !== undefined && (
                  <Progress label={file.name} value={file.progress} isLabelHidden />
                )}
              </div>
              {file.action && (
                <Button size="small" onPress={file.action.onPress}>
                  {file.action.label}
                </Button>
              )}
              <span className={styles.size}>{sizeText(file.bytes, language)}</span>
              {onRemove && (
                <IconButton
                  icon="close"
                  label={remove(file.name)}
                  size="small"
                  onPress={() => onRemove(file.id)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
