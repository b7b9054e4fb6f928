import { useState } from 'react'
import type { CsvImport, CsvImportDryRun } from '#contract/crm/csv-imports.ts'
import { crmLimits } from '#contract/crm/limits.ts'
import { textOfError } from '../../data/errors.ts'
import { useAction } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { FileDrop } from '../../parts/file-drop.tsx'
import { countText } from '../../parts/number-text.ts'
import { Section } from '../../parts/page.tsx'
import { Notice, Skeleton } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { type CsvFile, decodedCsv, parsedCsv } from './csv-file.ts'
import { importTexts } from './import.words.ts'
import { type ColumnMapping, ImportColumns } from './import-columns.tsx'
import type { ImportKind } from './import-kind.ts'
import { ImportResult } from './import-result.tsx'
import styles from './imports.module.css'

type Chosen = { file: File; csv: CsvFile | undefined }

/** A file to import: first a dry run, then the assignment of its columns, then the import. */
export function ImportFile({ kind, onStarted }: { kind: ImportKind; onStarted: (id: string) => void }) {
  const text = useWords(importTexts)
  const { columnsAbout } = useWords(kind.texts)
  const language = useLanguage()
  const [chosen, setChosen] = useState<Chosen>()
  const [mapping, setMapping] = useState<ColumnMapping>({})
  const dryRun = useAction(kind.operations.start, { refreshes: [] })
  const start = useAction(kind.operations.start, { refreshes: [kind.operations.list] })
  const result = dryRun.data as CsvImportDryRun | undefined

  function check(file: File, columns: ColumnMapping): void {
    start.reset()
    dryRun.mutate({ form: formOf(file, columns, true) })
  }
  async function choose([file]: readonly File[]): Promise<void> {
    if (!file) return
    setChosen({ file, csv: parsedCsv(decodedCsv(new Uint8Array(await file.arrayBuffer()))) })
    setMapping({})
    check(file, {})
  }
  function run({ file }: Chosen): void {
    start.mutate(
      { form: formOf(file, mapping, false) },
      {
        onSuccess: started => {
          setChosen(undefined)
          dryRun.reset()
          onStarted((started as CsvImport).id)
        },
        toast: () => text.started,
      },
    )
  }
  const error = start.error ?? dryRun.error
  return (
    <>
      <Section
        title={text.file}
        about={text.fileAbout(countText(crmLimits.csvImportLines, language, Infinity))}
      >
        <div className={styles.stack}>
          <FileDrop
            label={text.file}
            hint={text.fileHint}
            onFiles={files => void choose(files)}
            files={chosen ? [{ id: 'file', name: chosen.file.name, bytes: chosen.file.size }] : []}
            onRemove={() => setChosen(undefined)}
          />
          {chosen && error && (
            <Notice kind="danger">
              <p>{textOfError(error, language)}</p>
              {detailsOf(error.body.details).map(message => (
                <p key={message}>{message}</p>
              ))}
            </Notice>
          )}
          {dryRun.isPending && <Skeleton rows={3} label={text.checking} />}
        </div>
      </Section>
      {chosen?.csv && (dryRun.isError || result) && (
        <Section
          title={text.columns}
          about={columnsAbout}
          actions={
            <Button isBusy={dryRun.isPending} onPress={() => check(chosen.file, mapping)}>
              {text.check}
            </Button>
          }
        >
          <ImportColumns
            kind={kind}
            names={chosen.csv.columns}
            mapping={mapping}
            found={result?.columns ?? []}
            onChange={next => {
              setMapping(next)
              check(chosen.file, next)
            }}
          />
        </Section>
      )}
      {chosen?.csv && result && (
        <ImportResult
          kind={kind}
          result={result}
          csv={chosen.csv}
          fileName={chosen.file.name}
          isBusy={start.isPending}
          onStart={() => run(chosen)}
        />
      )}
    </>
  )
}

function formOf(file: File, mapping: ColumnMapping, isDryRun: boolean): FormData {
  const form = new FormData()
  // the server reads the fields before the file
  form.set('dryRun', String(isDryRun))
  if (Object.keys(mapping).length > 0) form.set('mapping', JSON.stringify(mapping))
  form.set('file', file)
  return form
}

function detailsOf(details: unknown): string[] {
  return ((details ?? []) as { message: string }[]).map(({ message }) => message)
}
