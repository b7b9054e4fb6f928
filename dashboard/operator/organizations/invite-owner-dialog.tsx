import { inviteOwner } from '#contract/identity/operator.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { useAction } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import type { Organization } from './organization.ts'
import { organizationDialogTexts } from './organization-dialogs.words.ts'

/** Invites an owner to an organization, or sends the invitation again with a new link. */
export function InviteOwnerDialog({
  organization: { id, name },
  onClose,
}: {
  organization: Organization
  onClose: () => void
}) {
  const text = useWords(organizationDialogTexts)
  const invite = useAction(inviteOwner, { refreshes: [] })
  return (
    <Dialog title={text.inviteTitle(name)} isOpen onClose={onClose} size="small">
      <ActionForm
        onSubmit={async ({ email = '', name: ownerName = '' }) => {
          const { mailSent } = await invite.mutateAsync({
            params: { id },
            body: { email, ...(ownerName.trim() && { name: ownerName.trim() }) },
          })
          showToast(
            mailSent ? { text: text.invited(email) } : { kind: 'failed', text: text.notMailed(email) },
          )
          onClose()
        }}
      >
        {({ isBusy }) => (
          <>
            <p>{text.inviteAbout}</p>
            <TextField {...fieldOf(inviteOwner, 'email')} label={text.ownerEmail} autoComplete="off" />
            <TextField
              {...fieldOf(inviteOwner, 'name')}
              label={text.ownerName}
              hint={text.ownerNameHint}
              autoComplete="off"
            />
            <FormActions onLeave={onClose} action={text.invite} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
