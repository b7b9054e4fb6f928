import { useState } from 'react'
import { type BankFileReport, importBankFile, previewBankFile } from '#contract/billing/direct-debits.ts'
import { textOfError } from '../../data/errors.ts'
import { textOf } from '../../data/file-text.rules.ts'
import { useAction } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { FileDrop } from '../../parts/file-drop.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { Money } from '../../parts/money.tsx'
import { Notice, Skeleton } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './direct-debits.module.css'
import { directDebitTexts } from './direct-debits.words.ts'
import { reasonText } from './reason-code.words.ts'
import { refreshes } from './refreshes.ts'

type Chosen = { name: string; bytes: number; document: string | undefined }
const recorded: readonly string[] = ['COLLECTED', 'REJECTED', 'RETURNED']

/** Imports a file of the bank: first it shows what each entry would change (SDD-12). */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const text = useWords(directDebitTexts)
  const language = useLanguage()
  const [chosen, setChosen] = useState<Chosen>()
  const preview = useAction(previewBankFile, { refreshes: [] })
  const load = useAction(importBankFile, { refreshes })
  const report = load.data ?? preview.data
  const count = report?.entries.filter(({ effect }) => recorded.includes(effect)).length ?? 0
  const error = load.error ?? preview.error
  async function choose([file]: readonly File[]): Promise<void> {
    if (!file) return
    load.reset()
    preview.reset()
    const content = textOf(new Uint8Array(await file.arrayBuffer()))
    const document = content.kind === 'text' ? content.text : undefined
    setChosen({ name: file.name, bytes: file.size, document })
    if (document !== undefined) preview.mutate({ body: { document } })
  }
  return (
    <Dialog title={text.importTitle} isOpen onClose={onClose}>
      <div className={styles.fields}>
        {!load.data && (
          <FileDrop
            label={text.file}
            hint={text.fileHint}
            isSingle
            onFiles={files => void choose(files)}
            files={chosen ? [{ id: 'file', name: chosen.name, bytes: chosen.bytes }] : []}
          />
        )}
        {chosen && chosen.document === undefined && <Notice kind="danger">{text.notText}</Notice>}
        {error && <Notice kind="danger">{textOfError(error, language)}</Notice>}
        {preview.isPending && <Skeleton rows={3} label={text.checking} />}
        {report && count === 0 && !load.data && <Notice>{text.nothingToImport}</Notice>}
        {report && <Effects report={report} title={load.data ? text.effectsDone : text.effects} />}
      </div>
      <FormActions
        onLeave={onClose}
        {...(!load.data && { action: text.importAction(count) })}
        onAction={() =>
          chosen?.document !== undefined &&
          load.mutate(
            { body: { document: chosen.document } },
            {
              toast: ({ entries }) =>
                text.imported(entries.filter(({ effect }) => recorded.includes(effect)).length),
            },
          )
        }
        isBusy={load.isPending}
        isDisabled={count === 0}
      />
    </Dialog>
  )
}

function Effects({ report: { format, entries }, title }: { report: BankFileReport; title: string }) {
  const text = useWords(directDebitTexts)
  const language = useLanguage()
  return (
    <section aria-label={title}>
      <p className={styles.effects}>
        {title} <span className={styles.quiet}>{format}</span>
      </p>
      <ul className={styles.list}>
        {withKeys(entries).map(({ key, entry }) => (
          <li key={key} className={styles.entry}>
            <div>
              {entry.invoiceNumber ?? <code>{entry.reference}</code>}{' '}
              <span className={styles.quiet}>{text[entry.effect]}</span>
            </div>
            {entry.amountCents !== null && <Money cents={entry.amountCents} currency="eur" />}
            {entry.reasonCode !== null && (
              <p className={styles.quiet}>
                {reasonText(entry.reasonCode, language)} <code>{entry.reasonCode}</code>
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A file may name a reference more than once. */
function withKeys(entries: BankFileReport['entries']) {
  return entries.map((entry, at) => ({ key: `${at} ${entry.reference}`, entry }))
}
