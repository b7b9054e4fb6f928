import {
  listSignatureRequests,
  type RequestSigner,
  replaceSigner,
  type SignatureRequest,
} from '#contract/crm/signature-requests.ts'
import { listSigningLinks } from '#contract/crm/signing-links.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { useAction } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { requestTexts } from './signature-request.words.ts'
import styles from './signing.module.css'

type ReplaceSignerProps = { request: SignatureRequest; signer: RequestSigner; onClose: () => void }

/** Asks who takes the place of a signer who has not signed. */
export function ReplaceSignerDialog({ request, signer, onClose }: ReplaceSignerProps) {
  const text = useWords(requestTexts)
  const replace = useAction(replaceSigner, { refreshes: [listSignatureRequests, listSigningLinks] })
  return (
    <Dialog title={text.replaceTitle(signer.name)} isOpen onClose={onClose}>
      <ActionForm
        onSubmit={async ({ name = '', email = '' }) => {
          const body = { name: name.trim(), email: email.trim() }
          await replace.mutateAsync({
            params: { id: request.budgetId, requestId: request.id, signerId: signer.id },
            body,
          })
          showToast({ text: text.replaced(body.name) })
          onClose()
        }}
      >
        {({ isBusy }) => (
          <>
            <TextField {...fieldOf(replaceSigner, 'name')} label={text.name} autoComplete="off" />
            <TextField {...fieldOf(replaceSigner, 'email')} label={text.email} autoComplete="off" />
            <p className={styles.quiet}>{text.replaceAbout}</p>
            <FormActions onLeave={onClose} action={text.replaceAction(signer.name)} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
