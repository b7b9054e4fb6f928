import { useState } from 'react'
import { listInvoices } from '#contract/billing/invoices.ts'
import { previewInvoiceTemplate } from '#contract/billing/templates.ts'
import { textOfError } from '../../data/errors.ts'
import { useList, useRead } from '../../data/read.ts'
import { Combo } from '../../parts/combo.tsx'
import { Notice } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { MailFrame, usePaused } from './mail-frame.tsx'
import styles from './settings.module.css'
import { templateTexts } from './templates.words.ts'

/** The e-mail that a text becomes, for a real invoice or an example (SND-16). */
export function TemplatePreview({ subject, body }: { subject: string; body: string }) {
  const text = useWords(templateTexts)
  const language = useLanguage()
  const [invoiceId, setInvoiceId] = useState<string | null>(null)
  const shown = usePaused(JSON.stringify({ subject, body }))
  const written = JSON.parse(shown) as { subject: string; body: string }
  const isWritten = written.subject.trim() !== '' && written.body !== ''
  const { data, error } = useRead(
    previewInvoiceTemplate,
    { body: { ...written, ...(invoiceId && { invoiceId }) } },
    { enabled: isWritten },
  )
  return (
    <section className={styles.preview} aria-label={text.preview}>
      <h3 className={styles.subtitle}>{text.preview}</h3>
      <InvoicePicker value={invoiceId} onChange={setInvoiceId} />
      {isWritten && error && <Notice kind="danger">{reasonOf(error) ?? textOfError(error, language)}</Notice>}
      {isWritten && data && (
        <>
          <p className={styles.mailSubject}>{data.subject}</p>
          <MailFrame html={data.html} title={text.previewFrame} />
        </>
      )}
    </section>
  )
}

/** The server's words about the first field that it refused. */
function reasonOf(error: { body: { details?: unknown } }): string | undefined {
  const [first] = (error.body.details ?? []) as { message: string }[]
  return first?.message
}

/** Issued invoices are found on the server, because an organization may have thousands. */
function InvoicePicker({ value, onChange }: { value: string | null; onChange: (id: string | null) => void }) {
  const text = useWords(templateTexts)
  const [typed, setTyped] = useState('')
  const sought = usePaused(typed.trim())
  const invoices = useList(listInvoices, {
    query: { limit: 20, ...(sought.length > 1 && value === null && { search: sought }) },
  })
  const items = invoices.items.flatMap(({ id, number, clientName }) =>
    number === null ? [] : [{ id, label: number, hint: clientName }],
  )
  return (
    <Combo
      label={text.previewInvoice}
      placeholder={text.example}
      items={items}
      isLoading={invoices.isLoading || sought !== typed.trim()}
      search={typed}
      onSearch={next => {
        setTyped(next)
        if (next === '' && value !== null) onChange(null)
      }}
      value={value}
      onChange={id => id !== null && onChange(id)}
    />
  )
}
