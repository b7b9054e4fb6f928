import { useState } from 'react'
import {
  eraseExternalUser,
  listExternalUsers,
  putExternalUser,
  readExternalUser,
} from '#contract/billing/external-users.ts'
import { ClientField } from '../../crm/index.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { lacksTexts } from '../../data/lacks.words.ts'
import { useAction } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import type { ExternalUser } from './external-user.ts'
import { userTexts } from './users.words.ts'

type DialogProps = { user: ExternalUser; onClose: () => void }
const refreshes = [listExternalUsers, readExternalUser]

/** Chooses the client that is billed for the user (EXTU-4). */
export function ChangeClientDialog({ user, onClose }: DialogProps) {
  const text = useWords(userTexts)
  const lacks = useWords(lacksTexts)
  const put = useAction(putExternalUser, { refreshes })
  const [clientId, setClientId] = useState<string | null>(user.clientId)
  const { applicationId, userId } = user
  return (
    <Dialog title={text.changeTitle(user.name ?? userId)} isOpen onClose={onClose} size="small">
      <ActionForm
        lacks={(clientId === null || clientId === user.clientId) && lacks.otherClient}
        onSubmit={async () => {
          if (clientId === null) return
          const { clientName } = await put.mutateAsync({
            params: { applicationId, userId },
            body: { clientId },
          })
          showToast({ text: text.changed(user.name ?? userId, clientName) })
          onClose()
        }}
      >
        {({ isBusy }) => (
          <>
            <p>{text.changeAbout}</p>
            <ClientField
              label={text.client}
              value={clientId}
              name={clientId === user.clientId ? user.clientName : undefined}
              onChange={setClientId}
              isRequired
            />
            <FormActions onLeave={onClose} action={text.save} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

/** Erases the personal data of the user; the id must be typed, because it cannot be undone (EXTU-5). */
export function EraseUserDialog({ user, onClose }: DialogProps) {
  const text = useWords(userTexts)
  const { applicationId, userId } = user
  return (
    <ConfirmAction
      operation={eraseExternalUser}
      input={{ params: { applicationId, userId } }}
      refreshes={refreshes}
      title={text.eraseQuestion(user.name ?? userId)}
      action={text.eraseAction(userId)}
      isDangerous
      nameToType={userId}
      onClose={onClose}
      toast={() => text.erased(userId)}
    >
      {text.eraseAbout}
    </ConfirmAction>
  )
}
