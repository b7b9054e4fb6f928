import { listBudgets, readBudget } from '#contract/crm/budgets.ts'
import { listSignatureRequests } from '#contract/crm/signature-requests.ts'
import { listSigningLinks, type SigningLink, sendSigningLink } from '#contract/crm/signing-links.ts'
import { textOfError } from '../../data/errors.ts'
import { useAction } from '../../data/read.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { signingTexts } from './signing.words.ts'

type SendLinkDialogProps = {
  link: Pick<SigningLink, 'id' | 'budgetId' | 'signerEmail'>
  onClose: () => void
}

/** Asks before a link is mailed, because the mail has a new one. */
export function SendLinkDialog({ link: { id, budgetId, signerEmail }, onClose }: SendLinkDialogProps) {
  const text = useWords(signingTexts)
  const language = useLanguage()
  const send = useAction(sendSigningLink, {
    refreshes: [listSigningLinks, listSignatureRequests, readBudget, listBudgets],
  })
  return (
    <Confirm
      title={text.sendQuestion(signerEmail)}
      action={text.sendAction(signerEmail)}
      isOpen
      onClose={onClose}
      isBusy={send.isPending}
      error={send.error && <Notice kind="danger">{textOfError(send.error, language)}</Notice>}
      onConfirm={() =>
        send.mutate(
          { params: { id: budgetId, linkId: id } },
          {
            onSuccess: ({ mailSent }) => {
              showToast(mailSent ? { text: text.sent(signerEmail) } : { kind: 'info', text: text.notSent })
              onClose()
            },
          },
        )
      }
    >
      {text.sendAbout}
    </Confirm>
  )
}
