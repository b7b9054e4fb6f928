import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { issueInvoice, removeInvoice } from '#contract/billing/invoices.ts'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { codeOf, fieldsOf, textOfError } from '../../data/errors.ts'
import { useKnownHref } from '../../data/known-href.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useAction } from '../../data/read.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { currentTime } from '../../parts/clock.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Money } from '../../parts/money.tsx'
import { DateField } from '../../parts/number-fields.tsx'
import { Notice } from '../../parts/states.tsx'
import { useLanguage, useWords, words } from '../../words/words.ts'
import styles from './invoice.module.css'
import type { InvoiceDialogProps } from './invoice-dialog.ts'

const texts = words({
  es: {
    issueQuestion: (client: string) => `¿Emitir la factura a ${client}?`,
    final: 'El número es definitivo: la factura ya no se puede cambiar ni borrar, solo anular o rectificar.',
    copies: 'Los datos de tu empresa y del cliente se guardan como están ahora.',
    client: 'Cliente',
    total: 'Total',
    issueDate: 'Fecha de emisión',
    issue: 'Emitir factura',
    issued: (number: string) => `Emitida con el número ${number}.`,
    missing: (client: string, fields: string) => `Para emitirle facturas, a ${client} le falta: ${fields}.`,
    address: 'dirección',
    city: 'ciudad',
    country: 'país',
    taxId: 'NIF',
    complete: (client: string) => `Completar los datos de ${client}`,
    removeQuestion: '¿Borrar este borrador?',
    removeAbout: 'Se borra para siempre. No tiene número, así que la serie queda sin huecos.',
    remove: 'Borrar borrador',
    removed: 'Borrador borrado.',
  },
  en: {
    issueQuestion: (client: string) => `Issue the invoice to ${client}?`,
    final: 'The number is final: the invoice cannot be changed or deleted, only voided or rectified.',
    copies: 'Your company’s data and the client’s are stored as they are now.',
    client: 'Client',
    total: 'Total',
    issueDate: 'Issue date',
    issue: 'Issue invoice',
    issued: (number: string) => `Issued with the number ${number}.`,
    missing: (client: string, fields: string) => `To be invoiced, ${client} lacks: ${fields}.`,
    address: 'address',
    city: 'city',
    country: 'country',
    taxId: 'tax ID',
    complete: (client: string) => `Complete the data of ${client}`,
    removeQuestion: 'Delete this draft?',
    removeAbout: 'It is deleted for good. It has no number, so the series keeps no gap.',
    remove: 'Delete draft',
    removed: 'Draft deleted.',
  },
})

/** Asks before an invoice gets its number, which is final. */
export function IssueDialog({ invoice, onClose }: InvoiceDialogProps) {
  const text = useWords(texts)
  const [today] = useState(() => new Date(currentTime()).toISOString().slice(0, 10))
  const [issueDate, setIssueDate] = useState(today)
  const issue = useAction(issueInvoice)
  return (
    <Confirm
      title={text.issueQuestion(invoice.clientName)}
      action={text.issue}
      isOpen
      onClose={onClose}
      isBusy={issue.isPending}
      error={issue.error && <IssueRefusal error={issue.error} invoice={invoice} />}
      onConfirm={() =>
        issue.mutate(
          { params: { id: invoice.id }, body: issueDate && issueDate !== today ? { issueDate } : {} },
          {
            onSuccess: onClose,
            toast: ({ number }) => text.issued(number ?? ''),
          },
        )
      }
    >
      <div className={styles.question}>
        <Facts
          facts={[
            { term: text.client, value: invoice.clientName },
            { term: text.total, value: <Money cents={invoice.totalCents} currency={invoice.currency} /> },
          ]}
        />
        <DateField label={text.issueDate} value={issueDate} onChange={setIssueDate} />
        <p>
          {text.final} {text.copies}
        </p>
      </div>
    </Confirm>
  )
}

/** Why the invoice was not issued; if the client lacks data, which ones, and where to complete them. */
function IssueRefusal({
  error,
  invoice: { clientId, clientName },
}: Pick<InvoiceDialogProps, 'invoice'> & { error: unknown }) {
  const text = useWords(texts)
  const language = useLanguage()
  const hrefOf = useKnownHref()
  const missing = fieldsOf(error).map(field => text[field as 'taxId'] ?? field)
  if (codeOf(error) !== 'RECIPIENT_INCOMPLETE' || missing.length === 0)
    return <Notice kind="danger">{textOfError(error, language)}</Notice>
  const href = hrefOf('clients', `?open=${clientId}`)
  return (
    <Notice kind="danger">
      <p>{text.missing(clientName, missing.join(', '))}</p>
      {href !== undefined && <ButtonLink href={href}>{text.complete(clientName)}</ButtonLink>}
    </Notice>
  )
}

/** Asks before a draft is deleted, and goes back to the list. */
export function RemoveDraftDialog({ invoice, onClose }: InvoiceDialogProps) {
  const text = useWords(texts)
  const navigate = useNavigate()
  const { address } = useOrganization()
  return (
    <ConfirmAction
      operation={removeInvoice}
      input={{ params: { id: invoice.id } }}
      // the list is read anew when it opens; the draft itself must not be
      refreshes={[]}
      title={text.removeQuestion}
      action={text.remove}
      isDangerous
      onClose={onClose}
      toast={() => text.removed}
      onDone={() => navigate({ to: '/o/$organization/invoices', params: { organization: address } })}
    >
      {text.removeAbout}
    </ConfirmAction>
  )
}
