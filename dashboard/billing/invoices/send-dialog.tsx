import { useState } from 'react'
import { sendInvoiceByHand } from '#contract/billing/sending.ts'
import { listInvoiceTemplates } from '#contract/billing/templates.ts'
import { listBillingContacts } from '#contract/crm/clients.ts'
import { limits } from '#contract/limits.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { lacksTexts } from '../../data/lacks.words.ts'
import { useMay } from '../../data/organization.tsx'
import { useAction, useRead } from '../../data/read.ts'
import { Choice } from '../../parts/choice.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Checkbox } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { Reason } from '../../parts/reason.tsx'
import { Notice, Skeleton } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords, words } from '../../words/words.ts'
import styles from './invoice.module.css'
import type { InvoiceDialogProps } from './invoice-dialog.ts'

const texts = words({
  es: {
    title: (number: string) => `Enviar la factura ${number}`,
    to: 'Para',
    main: 'principal',
    ofInvoice: 'de la factura',
    usual:
      'No hay contactos que elegir: va a la dirección que el servidor conoce del usuario o de la factura.',
    template: 'Plantilla',
    usualTemplate: 'La predeterminada',
    message: 'Mensaje',
    messageHint:
      'Sustituye al texto de la plantilla. El número, las fechas y los importes van siempre debajo.',
    attached: 'El PDF va adjunto.',
    reading: 'Leyendo',
    send: (number: string) => `Enviar ${number}`,
    sent: (to: string) => `Enviada a ${to}.`,
  },
  en: {
    title: (number: string) => `Send the invoice ${number}`,
    to: 'To',
    main: 'main',
    ofInvoice: 'of the invoice',
    usual:
      'There are no contacts to choose: it goes to the address that the server has of the user or the invoice.',
    template: 'Template',
    usualTemplate: 'The default one',
    message: 'Message',
    messageHint: 'Replaces the text of the template. Number, dates and amounts always follow below.',
    attached: 'The PDF is attached.',
    reading: 'Reading',
    send: (number: string) => `Send ${number}`,
    sent: (to: string) => `Sent to ${to}.`,
  },
})

type Address = { email: string; label: string; isUsual: boolean }

/** Sends an issued invoice to the chosen billing contacts. Replies once the mail server has accepted it. */
export function SendDialog({ invoice, onClose }: InvoiceDialogProps) {
  const text = useWords(texts)
  const lacks = useWords(lacksTexts)
  const may = useMay()
  const [chosen, setChosen] = useState<ReadonlySet<string>>()
  const [templateId, setTemplateId] = useState('')
  const [message, setMessage] = useState('')
  // the same key for every press: a repetition after a lost answer sends nothing twice
  const [key] = useState(() => crypto.randomUUID())
  const contacts = useRead(
    listBillingContacts,
    { params: { id: invoice.clientId } },
    { enabled: may(listBillingContacts) },
  )
  const templates = useRead(listInvoiceTemplates)
  const send = useAction(sendInvoiceByHand)
  const addresses = addressesOf(contacts.data?.items ?? [], invoice.recipient?.email ?? null, text)
  const selected = chosen ?? new Set(addresses.filter(({ isUsual }) => isUsual).map(({ email }) => email))
  const number = invoice.number ?? ''
  return (
    <Dialog title={text.title(number)} isOpen onClose={onClose}>
      <ActionForm
        lacks={addresses.length > 0 && selected.size === 0 && lacks.addresses}
        onSubmit={async () => {
          const { recipients } = await send.mutateAsync({
            params: { id: invoice.id },
            body: {
              ...(selected.size > 0 && { to: [...selected] }),
              ...(templateId && { templateId }),
              ...(message.trim() && { message: message.trim() }),
            },
            headers: { 'Idempotency-Key': key },
          })
          showToast({ text: text.sent(recipients.join(', ')) })
          onClose()
        }}
      >
        {({ isBusy }) => (
          <>
            {may(listBillingContacts) && contacts.isPending ? (
              <Skeleton rows={2} label={text.reading} />
            ) : addresses.length === 0 ? (
              <Notice>{text.usual}</Notice>
            ) : (
              <fieldset className={styles.choices}>
                <legend>{text.to}</legend>
                {addresses.map(({ email, label }) => (
                  <Checkbox
                    key={email}
                    hint={label}
                    isSelected={selected.has(email)}
                    onChange={isSelected =>
                      setChosen(
                        new Set(
                          isSelected ? [...selected, email] : [...selected].filter(one => one !== email),
                        ),
                      )
                    }
                  >
                    {email}
                  </Checkbox>
                ))}
              </fieldset>
            )}
            {templates.data && templates.data.items.length > 0 && (
              <Choice
                label={text.template}
                options={[
                  { value: '', label: text.usualTemplate },
                  ...templates.data.items.map(({ id, name }) => ({ value: id, label: name })),
                ]}
                value={templateId}
                onChange={setTemplateId}
              />
            )}
            <Reason
              label={text.message}
              hint={text.messageHint}
              maxLength={limits.invoiceMessage}
              value={message}
              onChange={setMessage}
            />
            <p className={styles.quiet}>{text.attached}</p>
            <FormActions onLeave={onClose} action={text.send(number)} icon="mail" isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

/** The addresses that the server accepts, each once: the billing contacts, and the recipient at the time of issue. */
function addressesOf(
  contacts: readonly { name: string; email: string; isMain: boolean; isActive: boolean }[],
  recipient: string | null,
  text: { main: string; ofInvoice: string },
): Address[] {
  const active = contacts.filter(({ isActive }) => isActive)
  const main = active.find(({ isMain }) => isMain)
  const known = active.map(({ name, email, isMain }) => ({
    email,
    label: isMain ? `${name}, ${text.main}` : name,
    isUsual: isMain,
  }))
  if (recipient === null || active.some(({ email }) => email.toLowerCase() === recipient.toLowerCase()))
    return known
  return [...known, { email: recipient, label: text.ofInvoice, isUsual: main === undefined }]
}
