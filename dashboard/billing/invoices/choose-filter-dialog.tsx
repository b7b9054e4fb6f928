import { useState } from 'react'
import { ClientField } from '../../crm/index.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { DateField } from '../../parts/number-fields.tsx'
import { useWords } from '../../words/words.ts'
import type { InvoiceSearchChange } from './invoice-search.ts'
import { invoiceListTexts } from './invoices.words.ts'

/** The filters whose value a dialog asks for. */
export type ChosenField = 'clientId' | 'issued' | 'due'

/** Asks for a client, or for the first and the last day. */
export function ChooseFilterDialog({
  chosen,
  onChange,
  onClose,
}: {
  chosen: ChosenField
  onChange: (change: InvoiceSearchChange) => void
  onClose: () => void
}) {
  const text = useWords(invoiceListTexts)
  const [clientId, setClientId] = useState<string | null>(null)
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const isReady = chosen === 'clientId' ? clientId !== null : from !== '' || to !== ''
  const titles = { clientId: text.client, issued: text.issueDate, due: text.dueDate }
  return (
    <Dialog title={titles[chosen]} size="small" isOpen onClose={onClose} keepsInput>
      {chosen === 'clientId' ? (
        <ClientField label={text.client} value={clientId} onChange={setClientId} />
      ) : (
        <>
          <DateField label={text.from} value={from} onChange={setFrom} {...(to && { maximum: to })} />
          <DateField label={text.to} value={to} onChange={setTo} {...(from && { minimum: from })} />
        </>
      )}
      <FormActions
        onLeave={onClose}
        action={text.apply}
        isDisabled={!isReady}
        onAction={() => {
          onChange(
            chosen === 'clientId' ? { clientId: clientId ?? undefined } : { [chosen]: `${from}..${to}` },
          )
          onClose()
        }}
      />
    </Dialog>
  )
}
