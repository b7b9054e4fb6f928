import { type Budget, listBudgets, readBudget } from '#contract/crm/budgets.ts'
import { importSignature, listSignatures } from '#contract/crm/signatures.ts'
import { listSigningLinks } from '#contract/crm/signing-links.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { useAction } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { moneyText } from '../../parts/money-text.ts'
import { DateField } from '../../parts/number-fields.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { signingTexts } from './signing.words.ts'

/** Records a signature from an earlier system, with the fingerprint that it stored. */
export function ImportSignatureDialog({ budget, onClose }: { budget: Budget; onClose: () => void }) {
  const text = useWords(signingTexts)
  const language = useLanguage()
  const bring = useAction(importSignature, {
    refreshes: [listSignatures, listSigningLinks, readBudget, listBudgets],
  })
  const amount = moneyText(budget.totalCents, budget.currency, language)
  return (
    <Dialog title={text.importTitle} isOpen onClose={onClose}>
      <ActionForm
        onSubmit={async values => {
          const { signedAt = '', signerName = '', signerEmail = '' } = values
          const { ipAddress = '', userAgent = '', documentHash = '' } = values
          await bring.mutateAsync({
            params: { budgetId: budget.id },
            body: {
              signedAt: `${signedAt}T00:00:00.000Z`,
              signerName: signerName.trim(),
              signerEmail: signerEmail.trim(),
              ipAddress: ipAddress.trim(),
              userAgent: userAgent.trim(),
              documentHash: documentHash.trim().toLowerCase(),
            },
          })
          showToast({ text: text.imported })
          onClose()
        }}
      >
        {({ isBusy }) => (
          <>
            <Notice kind="warn">{text.importAbout}</Notice>
            <TextField
              {...fieldOf(importSignature, 'signerName')}
              label={text.signerName}
              autoComplete="off"
            />
            <TextField
              {...fieldOf(importSignature, 'signerEmail')}
              label={text.signerEmail}
              autoComplete="off"
            />
            <DateField name="signedAt" label={text.signedAt} hint={text.signedHint} isRequired />
            <TextField
              {...fieldOf(importSignature, 'ipAddress')}
              label={text.ipAddress}
              autoComplete="off"
              spellCheck="false"
            />
            <TextField
              {...fieldOf(importSignature, 'userAgent')}
              label={text.browser}
              autoComplete="off"
              spellCheck="false"
            />
            <TextField
              {...fieldOf(importSignature, 'documentHash')}
              label={text.documentHash}
              hint={text.hashHint}
              autoComplete="off"
              spellCheck="false"
            />
            <FormActions onLeave={onClose} action={text.importAction(budget.code, amount)} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
