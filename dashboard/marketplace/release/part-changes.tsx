import { Difference } from '../../parts/difference.tsx'
import { sizeText } from '../../parts/number-text.ts'
import { Tag } from '../../parts/status.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import type { ReleasePart } from './finding.rules.ts'
import styles from './release.module.css'
import { pathOf, type ReadableRelease } from './release.ts'
import { releaseTexts } from './release.words.ts'

/** The changes of a text since the release that was approved last, as the server compared them. */
export function PartChanges({ release, part }: { release: ReadableRelease; part: ReleasePart }) {
  const text = useWords(releaseTexts)
  const { difference } = release
  if (!difference) return null
  if (part === 'frontmatter') return <FieldChanges fields={difference.frontmatter} />
  return (
    <div className={styles.changes}>
      <Difference
        label={text.changes(difference.from)}
        difference={part === 'description' ? difference.description : difference.bodyMarkdown}
      />
    </div>
  )
}

type Field = NonNullable<ReadableRelease['difference']>['frontmatter'][number]

function FieldChanges({ fields }: { fields: readonly Field[] }) {
  const text = useWords(releaseTexts)
  const shown = (value: unknown) => (value === undefined ? '–' : JSON.stringify(value))
  return (
    <div className={styles.changes}>
      <table className={styles.fields} aria-label={text.fields}>
        <thead>
          <tr>
            <th scope="col">{text.field}</th>
            <th scope="col">{text.before}</th>
            <th scope="col">{text.after}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ path, before, after }) => (
            <tr key={path}>
              <th scope="row">{path}</th>
              <td>{shown(before)}</td>
              <td>{shown(after)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** How a file changed since the release that was approved last. */
export function FileChange({ release, part }: { release: ReadableRelease; part: ReleasePart }) {
  const text = useWords(releaseTexts)
  const language = useLanguage()
  const path = pathOf(part)
  const change = release.difference?.files.find(file => file.path === path)
  if (path === undefined || !change || change.kind === 'removed') return null
  const { kind, previousPath, sizeBefore, sizeAfter } = change
  const words = {
    added: text.fileAdded,
    changed: text.fileChanged,
    renamed: text.fileRenamed(previousPath ?? ''),
  }[kind]
  const sizes =
    kind === 'changed' && sizeBefore !== null && sizeAfter !== null
      ? text.size(sizeText(sizeBefore, language), sizeText(sizeAfter, language))
      : ''
  return <Tag kind="info">{[words, sizes].filter(Boolean).join(' · ')}</Tag>
}
