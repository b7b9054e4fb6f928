import type { FieldDifference } from '#contract/studio/versions.ts'
import { useWords } from '../../words/words.ts'
import styles from './versions.module.css'
import { versionTexts } from './versions.words.ts'

/** The fields of the front matter that differ, with both values. */
export function FieldChanges({ fields }: { fields: readonly FieldDifference[] }) {
  const text = useWords(versionTexts)
  return (
    <table className={styles.fields}>
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
            <th scope="row">
              <code>{nameOf(path)}</code>
            </th>
            <td className={styles.before}>{textOf(before) ?? text.none}</td>
            <td className={styles.after}>{textOf(after) ?? text.none}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** `/metadata/a~1b` → `metadata › a/b`. */
function nameOf(pointer: string): string {
  const parts = pointer.split('/').slice(1)
  return parts.map(part => part.replaceAll('~1', '/').replaceAll('~0', '~')).join(' › ')
}

function textOf(value: unknown): string | undefined {
  if (value === undefined) return undefined
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1)
}
