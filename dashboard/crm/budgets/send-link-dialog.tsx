import { listBudgets, readBudget } from '#contract/crm/budgets.ts'
import { listSignatureRequests } from '#contract/crm/signature-requests.ts'
import { listSigningLinks, type SigningLink, sendSigningLink } from '#contract/crm/signing-links.ts'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { signingTexts } from './signing.words.ts'

type SendLinkDialogProps = {
  link: Pick<SigningLink, 'id' | 'budgetId' | 'signerEmail'>
  onClose: () => void
}

/** Asks before a link is mailed, because the mail has a new one. */
export function SendLinkDialog({ link: { id, budgetId, signerEmail }, onClose }: SendLinkDialogProps) {
  const text = useWords(signingTexts)
  return (
    <ConfirmAction
      operation={sendSigningLink}
      input={{ params: { id: budgetId, linkId: id } }}
      refreshes={[listSigningLinks, listSignatureRequests, readBudget, listBudgets]}
      title={text.sendQuestion(signerEmail)}
      action={text.sendAction(signerEmail)}
      onClose={onClose}
      toast={undefined}
      onDone={({ mailSent }) =>
        showToast(mailSent ? { text: text.sent(signerEmail) } : { kind: 'info', text: text.notSent })
      }
    >
      {text.sendAbout}
    </ConfirmAction>
  )
}
