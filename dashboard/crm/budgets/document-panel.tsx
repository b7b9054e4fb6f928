import { type Budget, makeBudgetPdfAddress, readBudgetPdf } from '#contract/crm/budgets.ts'
import { textOfError } from '../../data/errors.ts'
import { useAction } from '../../data/read.ts'
import { useDocument } from '../../data/use-document.ts'
import { useDownload } from '../../data/use-download.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './budget.module.css'
import { editorTexts } from './editor.words.ts'

/** The PDF of a budget beside its editor, as the client receives it. It shows what is saved. */
export function DocumentPanel({ budget: { id, code, updatedAt } }: { budget: Budget }) {
  const text = useWords(editorTexts)
  const language = useLanguage()
  const { url, error } = useDocument(readBudgetPdf, { params: { id } }, updatedAt)
  const download = useDownload(readBudgetPdf, `${code}.pdf`)
  return (
    <section className={styles.document} aria-label={text.document}>
      <div className={styles.documentBar}>
        <span className={styles.quiet}>{text.documentSaved}</span>
        <Button
          size="small"
          kind="quiet"
          icon="download"
          isBusy={download.isPending}
          onPress={() => download.mutate({ params: { id } }, { toastsFailure: true })}
        >
          {text.download}
        </Button>
      </div>
      {error && <Problem title={textOfError(error, language)} />}
      {!url && !error && <Skeleton rows={8} label={text.reading} />}
      {/* the bar of the browser's own viewer is wider than the panel, whose own bar has the download */}
      {url && (
        <iframe
          key={url}
          title={text.documentOf(code)}
          src={`${url}#toolbar=0&navpanes=0`}
          className={styles.frame}
        />
      )}
    </section>
  )
}

/** Opens the PDF in a window of its own: on a phone, which has no room beside the editor. */
export function OpenDocument({ budgetId }: { budgetId: string }) {
  const text = useWords(editorTexts)
  const makeAddress = useAction(makeBudgetPdfAddress, { refreshes: [] })
  return (
    <IconButton
      icon="file"
      label={text.openDocument}
      isDisabled={makeAddress.isPending}
      onPress={() =>
        makeAddress.mutate(
          { params: { id: budgetId } },
          {
            onSuccess: ({ path }) => {
              if (!window.open(path, '_blank')) showToast({ kind: 'failed', text: text.blocked })
            },
            toastsFailure: true,
          },
        )
      }
    />
  )
}
