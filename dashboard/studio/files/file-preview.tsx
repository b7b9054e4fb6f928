import { useEffect, useState } from 'react'
import { type Attachment, addressOfFile } from '#contract/studio/files.ts'
import { textOfError } from '../../data/errors.ts'
import { useBlobUrl, useFileContent } from '../../data/use-file-content.ts'
import { Code } from '../../parts/code.tsx'
import { Notice, Problem, Skeleton } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { previewOf } from './file-paths.rules.ts'
import styles from './files.module.css'
import { fileTexts } from './files.words.ts'

/** The content of a file: a text as text, an image as an image, and nothing in a frame. */
export function FilePreview({ file }: { file: Attachment }) {
  const text = useWords(fileTexts)
  const language = useLanguage()
  const kind = previewOf(file)
  const isShown = kind === 'text' || kind === 'image'
  const { blob, error } = useFileContent(
    addressOfFile,
    { params: { id: file.assetId, version: file.version, fileId: file.id } },
    { sha256: file.sha256, enabled: isShown },
  )
  if (!isShown) return <Notice>{kind === 'large' ? text.large : text.none}</Notice>
  if (error) return <Problem title={textOfError(error, language)} />
  if (!blob) return <Skeleton rows={4} label={text.readingFile} />
  return kind === 'text' ? <TextOf blob={blob} /> : <ImageOf blob={blob} file={file} />
}

function TextOf({ blob }: { blob: Blob }) {
  const text = useWords(fileTexts)
  const [content, setContent] = useState<string>()
  useEffect(() => {
    let isCurrent = true
    void blob.text().then(read => isCurrent && setContent(read))
    return () => {
      isCurrent = false
    }
  }, [blob])
  return content === undefined ? null : <Code label={text.preview} text={content} isWrapped />
}

function ImageOf({ blob, file }: { blob: Blob; file: Attachment }) {
  const url = useBlobUrl(blob, file.contentType)
  return url === undefined ? null : <img src={url} alt={file.filename} className={styles.image} />
}
