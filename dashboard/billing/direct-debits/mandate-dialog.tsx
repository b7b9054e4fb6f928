import { useState } from 'react'
import { createMandate, directDebitSchemes, mandateKinds } from '#contract/billing/direct-debits.ts'
import { ClientField } from '../../crm/index.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { lacksTexts } from '../../data/lacks.words.ts'
import { useAction } from '../../data/read.ts'
import { Choice } from '../../parts/choice.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { DateField } from '../../parts/number-fields.tsx'
import { RadioGroup } from '../../parts/radio-group.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import styles from './direct-debits.module.css'
import { directDebitTexts } from './direct-debits.words.ts'
import { refreshes } from './refreshes.ts'

/** Registers a mandate that a client signed (SDD-3). */
export function MandateDialog({ onClose }: { onClose: () => void }) {
  const text = useWords(directDebitTexts)
  const lacks = useWords(lacksTexts)
  const [clientId, setClientId] = useState<string | null>(null)
  const [scheme, setScheme] = useState<(typeof directDebitSchemes)[number]>('CORE')
  const [kind, setKind] = useState<(typeof mandateKinds)[number]>('RCUR')
  const create = useAction(createMandate, { refreshes })
  const plain = { autoComplete: 'off', spellCheck: 'false' } as const
  return (
    <Dialog title={text.newMandateTitle} isOpen onClose={onClose}>
      <ActionForm
        lacks={clientId === null && lacks.client}
        onSubmit={async ({ reference = '', debtorName = '', iban = '', bic = '', signedOn = '' }) => {
          if (clientId === null) return
          const saved = await create.mutateAsync({
            body: {
              clientId,
              reference: reference.trim(),
              debtorName: debtorName.trim(),
              iban: iban.trim().toUpperCase(),
              bic: bic.trim().toUpperCase() || null,
              scheme,
              kind,
              signedOn,
            },
          })
          showToast({ text: text.mandateSaved(saved.reference) })
          onClose()
        }}
      >
        {({ isBusy }) => (
          <>
            <ClientField label={text.client} value={clientId} onChange={setClientId} isRequired />
            <div className={styles.pair}>
              <TextField {...fieldOf(createMandate, 'reference')} {...plain} label={text.reference} />
              <DateField name="signedOn" label={text.signedOn} isRequired />
            </div>
            <TextField {...fieldOf(createMandate, 'debtorName')} {...plain} label={text.debtor} />
            <div className={styles.pair}>
              <TextField
                {...fieldOf(createMandate, 'iban')}
                {...plain}
                label={text.iban}
                hint={text.ibanHint}
              />
              <TextField {...fieldOf(createMandate, 'bic')} {...plain} label={text.bic} hint={text.bicHint} />
            </div>
            <RadioGroup
              label={text.scheme}
              value={scheme}
              onChange={setScheme}
              options={directDebitSchemes.map(value => ({
                value,
                label: text[value],
                hint: text[`${value}Hint`],
              }))}
            />
            <Choice
              label={text.kind}
              value={kind}
              onChange={setKind}
              options={mandateKinds.map(value => ({ value, label: text[value] }))}
            />
            <FormActions onLeave={onClose} action={text.save} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
