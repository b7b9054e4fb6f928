import { useState } from 'react'
import { type Budget, listBudgets, readBudget } from '#contract/crm/budgets.ts'
import { crmLimits } from '#contract/crm/limits.ts'
import { issueSigningLink, listSigningLinks } from '#contract/crm/signing-links.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { useAction } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { Actions, Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { moneyText } from '../../parts/money-text.ts'
import { NumberField } from '../../parts/number-fields.tsx'
import { Secret } from '../../parts/secret.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './signing.module.css'
import { signingTexts } from './signing.words.ts'

/** Issues a signing link and shows it once. */
export function IssueLinkDialog({ budget, onClose }: { budget: Budget; onClose: () => void }) {
  const text = useWords(signingTexts)
  const language = useLanguage()
  const [days, setDays] = useState<number | null>(crmLimits.signingLinkDaysDefault)
  const [issued, setIssued] = useState<{ url: string; signerName: string }>()
  const issue = useAction(issueSigningLink, { refreshes: [listSigningLinks, readBudget, listBudgets] })
  const amount = moneyText(budget.totalCents, budget.currency, language)
  if (issued)
    return (
      <Dialog title={text.linkOf(issued.signerName)} isOpen onClose={onClose} isDismissable={false}>
        <Secret label={text.linkOf(issued.signerName)} value={issued.url} fileName={`${budget.code}.txt`} />
        <Actions>
          <Button kind="primary" onPress={onClose} autoFocus>
            {text.done}
          </Button>
        </Actions>
      </Dialog>
    )
  return (
    <Dialog title={text.issueTitle} isOpen onClose={onClose}>
      <ActionForm
        onSubmit={async ({ signerName = '', signerEmail = '' }) => {
          const link = await issue.mutateAsync({
            params: { id: budget.id },
            body: {
              signerName: signerName.trim(),
              signerEmail: signerEmail.trim(),
              ...(days !== null && { expiresInDays: days }),
            },
          })
          setIssued({ url: link.url, signerName: link.signerName })
        }}
      >
        {({ isBusy }) => (
          <>
            <TextField
              {...fieldOf(issueSigningLink, 'signerName')}
              label={text.signerName}
              autoComplete="off"
            />
            <TextField
              {...fieldOf(issueSigningLink, 'signerEmail')}
              label={text.signerEmail}
              autoComplete="off"
            />
            <NumberField
              label={text.days}
              value={days}
              onChange={setDays}
              minimum={1}
              maximum={crmLimits.signingLinkDays}
            />
            <p className={styles.quiet}>
              {budget.status === 'DRAFT' && text.issueDraft} {text.issueUnsaved}
            </p>
            <FormActions onLeave={onClose} action={text.issueAction(budget.code, amount)} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
