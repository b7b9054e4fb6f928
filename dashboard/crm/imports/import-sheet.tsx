import { useState } from 'react'
import type { CsvImport } from '#contract/crm/csv-imports.ts'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { textOfError } from '../../data/errors.ts'
import { useMay } from '../../data/organization.tsx'
import { useRead } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { Facts } from '../../parts/facts.tsx'
import type { IconName } from '../../parts/icon.tsx'
import { Progress } from '../../parts/progress.tsx'
import { Sheet, SheetSection } from '../../parts/sheet.tsx'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { Status, type StatusKind } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { importTexts } from './import.words.ts'
import type { ImportKind } from './import-kind.ts'
import { ImportLines } from './import-lines.tsx'
import styles from './imports.module.css'

const icons: Readonly<Record<CsvImport['status'], { icon: IconName; kind: StatusKind }>> = {
  RUNNING: { icon: 'clock', kind: 'info' },
  DONE: { icon: 'done', kind: 'done' },
  STOPPED: { icon: 'failed', kind: 'danger' },
  CANCELLED: { icon: 'blocked', kind: 'quiet' },
}

/** The status of an import. */
export function ImportStatus({ status }: { status: CsvImport['status'] }) {
  const text = useWords(importTexts)
  return <Status {...icons[status]}>{text[status]}</Status>
}

const progressMs = 1_000

/** An import: its progress, and the lines that could not be imported. */
export function ImportSheet({ kind, id, onClose }: { kind: ImportKind; id: string; onClose: () => void }) {
  const text = useWords(importTexts)
  const { title } = useWords(kind.texts)
  const language = useLanguage()
  const may = useMay()
  const [isAsking, setAsking] = useState(false)
  const [isRunning, setRunning] = useState(true)
  const read = useRead(kind.operations.read, { params: { id } }, isRunning ? { pollMs: progressMs } : {})
  const { data, error } = read
  // an import that ended does not change any more
  if (data && isRunning !== (data.status === 'RUNNING')) setRunning(data.status === 'RUNNING')
  return (
    <Sheet
      title={data?.fileName ?? title}
      onClose={onClose}
      {...(data?.status === 'RUNNING' &&
        may(kind.operations.cancel) && {
          footer: (
            <Button kind="danger" onPress={() => setAsking(true)}>
              {text.cancel}
            </Button>
          ),
        })}
    >
      {data ? (
        <>
          <SheetSection>
            {data.status === 'RUNNING' && (
              <Progress
                label={text.RUNNING}
                value={data.total === 0 ? undefined : data.done / data.total}
                about={text.progress(data.done, data.total)}
              />
            )}
            <Facts
              facts={[
                { term: text.status, value: <ImportStatus status={data.status} /> },
                { term: text.created, value: String(data.created) },
                { term: text.refused, value: String(data.refused) },
                { term: text.stoppedAt, value: data.stoppedAt },
                { term: text.ignored, value: data.ignoredColumns.join(', ') },
                { term: text.at, value: <Time value={data.createdAt} form="moment" isFocusable /> },
                {
                  term: text.ended,
                  value: data.endedAt && <Time value={data.endedAt} form="moment" isFocusable />,
                },
              ]}
            />
          </SheetSection>
          {data.lines.length > 0 && (
            <SheetSection>
              <h3 className={styles.subtitle}>{text.lines}</h3>
              <ImportLines kind={kind} lines={data.lines} />
            </SheetSection>
          )}
        </>
      ) : (
        <SheetSection>
          {error ? (
            <Problem title={textOfError(error, language)} />
          ) : (
            <Skeleton rows={4} label={text.reading} />
          )}
        </SheetSection>
      )}
      {isAsking && data && (
        <CancelImport kind={kind} id={id} fileName={data.fileName} onClose={() => setAsking(false)} />
      )}
    </Sheet>
  )
}

function CancelImport({
  kind,
  id,
  fileName,
  onClose,
}: {
  kind: ImportKind
  id: string
  fileName: string
  onClose: () => void
}) {
  const text = useWords(importTexts)
  const { cancelAbout } = useWords(kind.texts)
  return (
    <ConfirmAction
      operation={kind.operations.cancel}
      input={{ params: { id } }}
      title={text.cancelQuestion(fileName)}
      action={text.cancelAction}
      isDangerous
      isCancellation
      onClose={onClose}
      toast={undefined}
    >
      {cancelAbout}
    </ConfirmAction>
  )
}
