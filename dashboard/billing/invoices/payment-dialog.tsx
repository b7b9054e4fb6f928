import { useState } from 'react'
import { registerPayment } from '#contract/billing/payments.ts'
import { manualMethods } from '#contract/billing/shapes.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { lacksTexts } from '../../data/lacks.words.ts'
import { useAction } from '../../data/read.ts'
import { Choice } from '../../parts/choice.tsx'
import { currentTime } from '../../parts/clock.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { decimalsOf, moneyText } from '../../parts/money-text.ts'
import { DateField, MoneyField } from '../../parts/number-fields.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords, words } from '../../words/words.ts'
import { invoiceTexts } from './invoice.words.ts'
import type { InvoiceDialogProps } from './invoice-dialog.ts'

const texts = words({
  es: {
    title: (number: string) => `Registrar un pago de ${number}`,
    titleOfDraft: 'Registrar un pago de la factura en borrador',
    method: 'Cómo llegó',
    amount: 'Importe',
    due: (amount: string) => `Pendiente: ${amount}`,
    tooMuch: (amount: string) => `Como mucho ${amount}, que es lo pendiente`,
    paidAt: 'Día',
    reference: 'Referencia',
    referenceHint: 'La del banco, para encontrarlo después.',
    register: (amount: string) => `Registrar ${amount}`,
    registered: (amount: string) => `Registrado un pago de ${amount}.`,
  },
  en: {
    title: (number: string) => `Register a payment of ${number}`,
    titleOfDraft: 'Register a payment of the draft invoice',
    method: 'How it arrived',
    amount: 'Amount',
    due: (amount: string) => `Unpaid: ${amount}`,
    tooMuch: (amount: string) => `At most ${amount}, which is what is unpaid`,
    paidAt: 'Day',
    reference: 'Reference',
    referenceHint: 'That of the bank, to find it later.',
    register: (amount: string) => `Register ${amount}`,
    registered: (amount: string) => `Registered a payment of ${amount}.`,
  },
})

/** Registers a payment that did not come through the gateway: all that is due, or a part. */
export function PaymentDialog({ invoice, onClose }: InvoiceDialogProps) {
  const text = useWords(texts)
  const lacks = useWords(lacksTexts)
  const methodText = useWords(invoiceTexts)
  const language = useLanguage()
  const { id, number, currency, dueCents } = invoice
  const [today] = useState(() => new Date(currentTime()).toISOString().slice(0, 10))
  const [method, setMethod] = useState<(typeof manualMethods)[number]>('TRANSFER')
  const [cents, setCents] = useState<number | null>(dueCents)
  const [day, setDay] = useState(today)
  // the same key for every press: a repetition after a lost answer registers nothing twice
  const [key] = useState(() => crypto.randomUUID())
  const register = useAction(registerPayment)
  const amountOf = (value: number) => moneyText(value, currency, language)
  const isValid = cents !== null && cents > 0 && cents <= dueCents
  return (
    <Dialog title={number ? text.title(number) : text.titleOfDraft} isOpen onClose={onClose}>
      <ActionForm
        lacks={!isValid && lacks.amount(amountOf(dueCents))}
        onSubmit={async ({ reference = '' }) => {
          if (cents === null) return
          await register.mutateAsync({
            params: { id },
            body: {
              method,
              amount: cents / 10 ** decimalsOf(currency),
              ...(day !== '' && day !== today && { paidAt: `${day}T12:00:00.000Z` }),
              ...(reference.trim() && { reference: reference.trim() }),
            },
            headers: { 'Idempotency-Key': key },
          })
          showToast({ text: text.registered(amountOf(cents)) })
          onClose()
        }}
      >
        {({ isBusy }) => (
          <>
            <Choice
              label={text.method}
              options={manualMethods.map(value => ({ value, label: methodText[value] }))}
              value={method}
              onChange={setMethod}
            />
            <MoneyField
              label={text.amount}
              hint={
                cents !== null && cents > dueCents
                  ? text.tooMuch(amountOf(dueCents))
                  : text.due(amountOf(dueCents))
              }
              cents={cents}
              currency={currency}
              onChange={setCents}
              isRequired
            />
            <DateField label={text.paidAt} value={day} onChange={setDay} maximum={today} />
            <TextField
              {...fieldOf(registerPayment, 'reference')}
              label={text.reference}
              hint={text.referenceHint}
              autoComplete="off"
            />
            <FormActions onLeave={onClose} action={text.register(amountOf(cents ?? 0))} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
