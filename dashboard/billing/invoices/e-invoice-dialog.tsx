import { readEInvoice } from '#contract/billing/invoices.ts'
import { codeOf, textOfError } from '../../data/errors.ts'
import { useKnownHref } from '../../data/known-href.ts'
import { useDownload } from '../../data/use-download.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { Notice } from '../../parts/states.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { canFillIn, type FormatProblem, problemText } from './e-invoice.rules.ts'
import { eInvoiceTexts } from './e-invoice.words.ts'
import styles from './invoice.module.css'
import type { InvoiceDialogProps } from './invoice-dialog.ts'

/** Problems that are listed; an invoice can have one for each line. */
const mostListed = 8

/** Downloads an invoice as UBL. */
export function UblDialog(props: InvoiceDialogProps) {
  return <EInvoiceDialog {...props} format="UBL" name="UBL" />
}

/** Downloads an invoice as Facturae. */
export function FacturaeDialog(props: InvoiceDialogProps) {
  return <EInvoiceDialog {...props} format="FACTURAE" name="Facturae" />
}

type EInvoiceDialogProps = InvoiceDialogProps & { format: 'UBL' | 'FACTURAE'; name: string }

function EInvoiceDialog({ invoice, onClose, format, name }: EInvoiceDialogProps) {
  const text = useWords(eInvoiceTexts)
  const language = useLanguage()
  const { id, number } = invoice
  const download = useDownload(readEInvoice, `${number}-${name.toLowerCase()}.xml`)
  const isRefused = codeOf(download.error) === 'INVOICE_FORMAT_UNAVAILABLE'
  return (
    <Dialog title={text.title(number ?? '', name)} isOpen onClose={onClose} size="small">
      <p>{text[`about${format}`]}</p>
      {isRefused ? (
        <Refusal
          problems={(download.error?.body.details ?? []) as FormatProblem[]}
          format={name}
          clientId={invoice.clientId}
        />
      ) : (
        download.error && <Notice kind="danger">{textOfError(download.error, language)}</Notice>
      )}
      <FormActions
        onLeave={onClose}
        action={text.download(name)}
        onAction={() => download.mutate({ params: { id }, query: { format } }, { onSuccess: onClose })}
        isBusy={download.isPending}
      />
    </Dialog>
  )
}

type RefusalProps = { problems: readonly FormatProblem[]; format: string; clientId: string }

/** The reasons of a refusal, and where a person mends them. */
function Refusal({ problems, format, clientId }: RefusalProps) {
  const text = useWords(eInvoiceTexts)
  const hrefOf = useKnownHref()
  const clientHref = hrefOf('clients/$clientId', '', { clientId })
  const issuerHref = hrefOf('settings/issuer')
  const isOf = (role: string) => problems.some(({ path }) => path.startsWith(`${role}.`))
  return (
    <Notice kind="danger">
      <div className={styles.reasons}>
        <p>{text.refused(format)}</p>
        <ul>
          {problems.slice(0, mostListed).map(problem => (
            <li key={problem.path}>{problemText(problem, text)}</li>
          ))}
        </ul>
        {problems.length > mostListed && <p>{text.others(problems.length - mostListed)}</p>}
        <p>{canFillIn(problems) ? text.fillIn : text.final}</p>
        {isOf('recipient') && <TextLink href={clientHref}>{text.client}</TextLink>}
        {isOf('issuer') && <TextLink href={issuerHref}>{text.issuer}</TextLink>}
      </div>
    </Notice>
  )
}
