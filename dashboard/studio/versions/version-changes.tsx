import type { FileDifference, VersionDifference } from '#contract/studio/versions.ts'
import { Difference, DifferenceCount } from '../../parts/difference.tsx'
import { Tag } from '../../parts/status.tsx'
import { useWords } from '../../words/words.ts'
import { FieldChanges } from './field-changes.tsx'
import styles from './versions.module.css'
import { versionTexts } from './versions.words.ts'

/** How two versions differ: their texts line by line, their front matter by field, their files by path. */
export function VersionChanges({ difference }: { difference: VersionDifference }) {
  const text = useWords(versionTexts)
  const { isSame, description, bodyMarkdown, frontmatter, files } = difference
  if (isSame) return <p className={styles.quiet}>{text.same}</p>
  return (
    <div className={styles.changes}>
      {description && (
        <section className={styles.part}>
          <h3 className={styles.title}>
            {text.description} <DifferenceCount {...description} />
          </h3>
          <Difference label={text.description} difference={description} />
        </section>
      )}
      {frontmatter.length > 0 && (
        <section className={styles.part}>
          <h3 className={styles.title}>{text.frontMatter}</h3>
          <FieldChanges fields={frontmatter} />
        </section>
      )}
      {bodyMarkdown && (
        <section className={styles.part}>
          <h3 className={styles.title}>
            {text.text} <DifferenceCount {...bodyMarkdown} />
          </h3>
          <Difference label={text.text} difference={bodyMarkdown} />
        </section>
      )}
      {files.length > 0 && (
        <section className={styles.part}>
          <h3 className={styles.title}>{text.changedFiles}</h3>
          <ul className={styles.files}>
            {files.map(file => (
              <FileChange key={file.path} file={file} />
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

const kinds = { added: 'done', removed: 'danger', changed: 'info', renamed: 'info' } as const

function FileChange({ file: { path, kind, previousPath } }: { file: FileDifference }) {
  const text = useWords(versionTexts)
  return (
    <li className={styles.file}>
      <Tag kind={kinds[kind]}>{text[kind]}</Tag>
      <code className={styles.path}>{previousPath === null ? path : `${previousPath} → ${path}`}</code>
    </li>
  )
}
