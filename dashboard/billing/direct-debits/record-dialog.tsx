import { useState } from 'react'
import {
  type BankResult,
  type DirectDebit,
  recordDirectDebitResult,
} from '#contract/billing/direct-debits.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { useAction } from '../../data/read.ts'
import { Choice } from '../../parts/choice.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { RadioGroup } from '../../parts/radio-group.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { directDebitTexts } from './direct-debits.words.ts'
import { reasonCodes, reasonText } from './reason-code.words.ts'
import { refreshes } from './refreshes.ts'

/** Records the result of a direct debit of a bank that gives no files (SDD-13). */
export function RecordDialog({ debit, onClose }: { debit: DirectDebit; onClose: () => void }) {
  const text = useWords(directDebitTexts)
  const language = useLanguage()
  const results: [BankResult, ...BankResult[]] =
    debit.state === 'OPEN' ? ['COLLECTED', 'REJECTED', 'RETURNED'] : ['RETURNED']
  const [result, setResult] = useState<BankResult>(results[0])
  const [reason, setReason] = useState('NONE')
  const record = useAction(recordDirectDebitResult, { refreshes })
  return (
    <Dialog title={text.recordTitle(debit.invoiceNumber)} isOpen onClose={onClose} size="small">
      <ActionForm
        onSubmit={async () => {
          const reasonCode = result === 'COLLECTED' || reason === 'NONE' ? null : reason
          await record.mutateAsync({ params: { id: debit.id }, body: { result, reasonCode } })
          showToast({ text: text.recorded })
          onClose()
        }}
      >
        {({ isBusy }) => (
          <>
            <p>{text.recordAbout}</p>
            <RadioGroup
              label={text.result}
              value={result}
              onChange={setResult}
              options={results.map(value => ({ value, label: text[value] }))}
            />
            {result !== 'COLLECTED' && (
              <Choice
                label={text.reason}
                value={reason}
                onChange={setReason}
                options={[
                  { value: 'NONE', label: text.noReason },
                  ...reasonCodes.map(code => ({
                    value: code,
                    label: `${code} ${reasonText(code, language)}`,
                  })),
                ]}
              />
            )}
            <FormActions onLeave={onClose} action={text.recordAction} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
