import type { CsvImportLine } from '#contract/crm/csv-imports.ts'
import { useWords } from '../../words/words.ts'
import { importTexts } from './import.words.ts'
import type { ImportKind } from './import-kind.ts'
import styles from './imports.module.css'

const mostShown = 20

/** The lines of a file with errors, and those that repeat a record. */
export function ImportLines({
  kind: { fieldTexts, texts },
  lines,
}: {
  kind: ImportKind
  lines: readonly CsvImportLine[]
}) {
  const { isDuplicate } = useWords(texts)
  const text = useWords(importTexts)
  const fields: Readonly<Record<string, string>> = useWords(fieldTexts)
  return (
    <>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{text.line}</th>
            <th scope="col">{text.problem}</th>
          </tr>
        </thead>
        <tbody>
          {lines.slice(0, mostShown).map(({ line, errors }) => (
            <tr key={line}>
              <td>{line}</td>
              <td>
                {errors.length === 0
                  ? isDuplicate
                  : errors
                      .map(({ column, message }) =>
                        [column && (fields[column] ?? column), message].filter(Boolean).join(' '),
                      )
                      .join('; ')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {lines.length > mostShown && <p className={styles.quiet}>{text.more(lines.length - mostShown)}</p>}
    </>
  )
}
