import { useEffect, useState } from 'react'
import { updateInvoice } from '#contract/billing/invoices.ts'
import { listClients } from '#contract/crm/clients.ts'
import { ClientField } from '../../crm/index.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { useDraft } from '../../data/drafts.ts'
import { useMay } from '../../data/organization.tsx'
import { useAction } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { DateField } from '../../parts/number-fields.tsx'
import { Reason } from '../../parts/reason.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { type Language, useLanguage, useWords } from '../../words/words.ts'
import { isValidLine, newLineOf, type TypedLine, typedLineOf } from './draft.rules.ts'
import { draftTexts } from './draft.words.ts'
import { DraftFigures } from './draft-figures.tsx'
import { DraftLines } from './draft-lines.tsx'
import styles from './invoice.module.css'
import type { Invoice } from './invoice.ts'

type EditorProps = {
  invoice: Invoice
  isUnsaved: boolean
  onUnsaved: (isUnsaved: boolean) => void
}

/** The fields of a draft. Input that was not saved comes back after a reload. */
export function DraftEditor(props: EditorProps) {
  const draft = useDraft(updateInvoice, props.invoice.id)
  if (!draft.isLoaded) return null
  return <EditorForm {...props} draft={draft} />
}

type StoredDraft = ReturnType<typeof useDraft<typeof updateInvoice>>
type Values = {
  clientId: string
  lines: readonly TypedLine[]
  dueDate: string
  currency: string
  notes: string
  internalNotes: string
  rectifyingReason: string
}

function EditorForm({ invoice, draft, isUnsaved, onUnsaved }: EditorProps & { draft: StoredDraft }) {
  const text = useWords(draftTexts)
  const language = useLanguage()
  const [isRestored, setRestored] = useState(draft.values !== undefined)
  const [values, setValues] = useState(() => valuesOf(invoice, draft.values, language))
  const update = useAction(updateInvoice)
  // a draft that came back from before a reload is not saved either
  useEffect(() => {
    if (isRestored) onUnsaved(true)
  }, [isRestored, onUnsaved])
  const isValid = values.lines.every(isValidLine)
  const change = (changed: Partial<Values>) => {
    const next = { ...values, ...changed }
    setValues(next)
    onUnsaved(true)
    draft.save(bodyOf(next, invoice))
  }
  return (
    <ActionForm
      aria-label={text.title}
      lacks={!isValid && text.invalid}
      onSubmit={async () => {
        if (!isUnsaved) return
        await update.mutateAsync({ params: { id: invoice.id }, body: bodyOf(values, invoice) })
        draft.clear()
        setRestored(false)
        onUnsaved(false)
        showToast({ text: text.saved })
      }}
    >
      {({ isBusy }) => (
        <>
          {isRestored && <Notice>{text.restored}</Notice>}
          <Terms invoice={invoice} values={values} onChange={change} />
          {invoice.isRectifying && (
            <Reason
              {...fieldOf(updateInvoice, 'rectifyingReason')}
              maxLength={fieldOf(updateInvoice, 'rectifyingReason').maxLength!}
              label={text.rectifyingReason}
              value={values.rectifyingReason}
              onChange={rectifyingReason => change({ rectifyingReason })}
              isRequired
            />
          )}
          <DraftLines lines={values.lines} currency={values.currency} onChange={lines => change({ lines })} />
          <DraftFigures
            lines={isValid ? values.lines.map(newLineOf) : undefined}
            currency={values.currency}
            isRectifying={invoice.isRectifying}
          />
          <TextField
            {...fieldOf(updateInvoice, 'notes')}
            label={text.notes}
            hint={text.notesHint}
            rows={2}
            value={values.notes}
            onChange={notes => change({ notes })}
          />
          <TextField
            {...fieldOf(updateInvoice, 'internalNotes')}
            label={text.internalNotes}
            hint={text.internalNotesHint}
            rows={2}
            value={values.internalNotes}
            onChange={internalNotes => change({ internalNotes })}
          />
          <div className={styles.buttons}>
            <Button type="submit" isBusy={isBusy}>
              {text.save}
            </Button>
          </div>
        </>
      )}
    </ActionForm>
  )
}

/** The client of the draft, its due date and its currency. */
function Terms({
  invoice,
  values,
  onChange,
}: {
  invoice: Invoice
  values: Values
  onChange: (changed: Partial<Values>) => void
}) {
  const text = useWords(draftTexts)
  const may = useMay()
  return (
    <div className={styles.terms}>
      {invoice.userId === null && !invoice.isRectifying && may(listClients) && (
        <ClientField
          label={text.client}
          value={values.clientId}
          {...(values.clientId === invoice.clientId && { name: invoice.clientName })}
          onChange={clientId => clientId !== null && onChange({ clientId })}
          isRequired
        />
      )}
      <DateField
        label={text.dueDate}
        hint={text.dueDateHint}
        value={values.dueDate}
        onChange={dueDate => onChange({ dueDate })}
      />
      {!invoice.isRectifying && (
        <TextField
          {...fieldOf(updateInvoice, 'currency')}
          label={text.currency}
          value={values.currency.toUpperCase()}
          onChange={currency => onChange({ currency: currency.toLowerCase() })}
          autoComplete="off"
          spellCheck="false"
        />
      )}
    </div>
  )
}

/** The fields as a person types them: those of the invoice, and what was not saved. */
function valuesOf(invoice: Invoice, unsaved: StoredDraft['values'], language: Language): Values {
  const stored = { ...invoice, ...unsaved }
  return {
    clientId: stored.clientId,
    lines: stored.lines.map(line => typedLineOf(line, crypto.randomUUID(), language)),
    dueDate: stored.dueDate ?? '',
    currency: stored.currency,
    notes: stored.notes ?? '',
    internalNotes: stored.internalNotes ?? '',
    rectifyingReason: stored.rectifyingReason ?? '',
  }
}

/** All fields that the caller may change: client and currency of a rectifying invoice are those of the original. */
function bodyOf(values: Values, { userId, isRectifying }: Invoice) {
  const { clientId, lines, dueDate, currency, notes, internalNotes, rectifyingReason } = values
  return {
    ...(userId === null && !isRectifying && { clientId }),
    ...(isRectifying ? { rectifyingReason } : { currency }),
    lines: lines.map(newLineOf),
    dueDate: dueDate || null,
    notes: notes.trim() || null,
    internalNotes: internalNotes.trim() || null,
  }
}
