import type { CsvImportDryRun } from '#contract/crm/csv-imports.ts'
import { Button } from '../../parts/button.tsx'
import { downloadText } from '../../parts/download.ts'
import { Section } from '../../parts/page.tsx'
import { Status } from '../../parts/status.tsx'
import { useWords } from '../../words/words.ts'
import { type CsvFile, csvOfLines } from './csv-file.ts'
import { importTexts } from './import.words.ts'
import type { ImportKind } from './import-kind.ts'
import { ImportLines } from './import-lines.tsx'
import styles from './imports.module.css'

/** The result of a dry run: what will be created, and which lines will not. */
export function ImportResult({
  kind,
  result,
  csv,
  fileName,
  isBusy,
  onStart,
}: {
  kind: ImportKind
  result: CsvImportDryRun
  csv: CsvFile
  fileName: string
  isBusy: boolean
  onStart: () => void
}) {
  const text = useWords(importTexts)
  const texts = useWords(kind.texts)
  const { created, refused, lines, preview } = result
  const faulty = new Set(lines.filter(({ errors }) => errors.length > 0).map(({ line }) => line))
  const duplicates = lines.filter(line => line.duplicates > 0 && line.errors.length === 0).length
  return (
    <Section
      title={text.result}
      actions={
        <Button kind="primary" isBusy={isBusy} isDisabled={created === 0} onPress={onStart}>
          {texts.start(created)}
        </Button>
      }
    >
      <div className={styles.stack}>
        <div>
          <p>
            <Status icon="done" kind="done">
              {texts.create(created)}
            </Status>
          </p>
          {refused > 0 && (
            <p>
              <Status icon="failed" kind="danger">
                {text.refuse(refused)}
              </Status>
            </p>
          )}
          {duplicates > 0 && (
            <p>
              <Status icon="copy" kind="warn">
                {texts.duplicates(duplicates)}
              </Status>
            </p>
          )}
        </div>
        {lines.length > 0 && <ImportLines kind={kind} lines={lines} />}
        {faulty.size > 0 && (
          <div>
            <Button
              icon="download"
              onPress={() =>
                // a spreadsheet recognizes UTF-8 by the mark at the beginning
                downloadText(
                  `\uFEFF${csvOfLines(csv, faulty)}`,
                  `errors-${fileName}`,
                  'text/csv;charset=utf-8',
                )
              }
            >
              {text.faulty}
            </Button>
          </div>
        )}
        <Preview kind={kind} rows={preview} />
      </div>
    </Section>
  )
}

function Preview({ kind, rows }: { kind: ImportKind; rows: CsvImportDryRun['preview'] }) {
  const text = useWords(importTexts)
  const fields: Readonly<Record<string, string>> = useWords(kind.fieldTexts)
  if (rows.length === 0) return null
  return (
    <div>
      <h3 className={styles.subtitle}>{text.preview}</h3>
      <ul className={styles.list}>
        {rows.map(({ line, values }) => (
          <li key={line}>
            {values.map(({ field, value }) => (
              <span key={field}>
                <span className={styles.quiet}>{fields[field] ?? field}</span> {value}{' '}
              </span>
            ))}
          </li>
        ))}
      </ul>
    </div>
  )
}
