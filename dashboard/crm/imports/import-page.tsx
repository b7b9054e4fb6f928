import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { CsvImport } from '#contract/crm/csv-imports.ts'
import { ListGrid } from '../../data/list-grid.tsx'
import { useList } from '../../data/read.ts'
import type { Column } from '../../parts/grid.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { WithSheet } from '../../parts/with-sheet.tsx'
import { useWords } from '../../words/words.ts'
import { importTexts } from './import.words.ts'
import { ImportFile } from './import-file.tsx'
import type { ImportKind } from './import-kind.ts'
import { ImportSheet, ImportStatus } from './import-sheet.tsx'
import styles from './imports.module.css'

/** Imports records from a CSV file, and shows the imports of the last 30 days. `open` is the one in the sheet. */
export function ImportPage({ kind, open }: { kind: ImportKind; open: string | undefined }) {
  const text = useWords(importTexts)
  const { title } = useWords(kind.texts)
  const navigate = useNavigate()
  const imports = useList(kind.operations.list)
  const columns = useMemo(() => columnsOf(text), [text])
  const show = (id: string | undefined) =>
    void navigate({ to: '.', search: id === undefined ? {} : { open: id }, replace: true })
  return (
    <Page title={title} width="full">
      <WithSheet
        sheet={
          open !== undefined && (
            <ImportSheet key={open} kind={kind} id={open} onClose={() => show(undefined)} />
          )
        }
      >
        <div className={styles.page}>
          <ImportFile kind={kind} onStarted={show} />
          <Section title={text.list} about={text.listAbout}>
            <ListGrid
              label={text.list}
              height="content"
              columns={columns}
              list={imports}
              rowKey={({ id }) => id}
              rowLabel={({ fileName }) => fileName}
              onOpen={({ id }) => show(id)}
              current={open}
              empty={<Empty title={text.none} />}
            />
          </Section>
        </div>
      </WithSheet>
    </Page>
  )
}

function columnsOf(
  text: Record<'name' | 'status' | 'created' | 'refused' | 'at', string>,
): Column<CsvImport>[] {
  return [
    { id: 'name', title: text.name, width: 'minmax(140px, 2fr)', cell: ({ fileName }) => fileName },
    {
      id: 'status',
      title: text.status,
      width: '128px',
      phone: 'below',
      cell: ({ status }) => <ImportStatus status={status} />,
    },
    { id: 'created', title: text.created, width: '80px', align: 'end', cell: ({ created }) => created },
    { id: 'refused', title: text.refused, width: '96px', align: 'end', cell: ({ refused }) => refused },
    {
      id: 'at',
      title: text.at,
      width: '80px',
      align: 'end',
      phone: 'end',
      cell: ({ createdAt }) => <Time value={createdAt} />,
    },
  ]
}
