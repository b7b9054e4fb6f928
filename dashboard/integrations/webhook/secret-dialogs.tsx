import {
  activateWebhookSecret,
  listWebhookSecrets,
  retireWebhookSecret,
} from '#contract/integrations/webhook.ts'
import { textOfError } from '../../data/errors.ts'
import { useAction } from '../../data/read.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { NewSecret } from './new-secret.tsx'
import type { SecretQuestion } from './webhook.ts'
import { secretTexts } from './webhook-secrets.words.ts'

/** Shows a new secret once, or asks before one is activated or retired. */
export function SecretDialogs({
  question,
  applicationId,
  onClose,
}: {
  question: SecretQuestion
  applicationId: string
  onClose: () => void
}) {
  const text = useWords(secretTexts)
  const language = useLanguage()
  const isActivation = question.kind === 'activate'
  const activate = useAction(activateWebhookSecret, { refreshes: [listWebhookSecrets] })
  const retire = useAction(retireWebhookSecret, { refreshes: [listWebhookSecrets] })
  const action = isActivation ? activate : retire
  if (question.kind === 'prepared')
    return (
      <Dialog title={text.readyTitle} isOpen onClose={onClose} isDismissable={false}>
        <NewSecret secret={question.value} onDone={onClose} />
      </Dialog>
    )
  return (
    <Confirm
      title={isActivation ? text.activateQuestion : text.retireQuestion}
      action={isActivation ? text.activateConfirm : text.retireConfirm}
      isDangerous={!isActivation}
      isOpen
      onClose={onClose}
      isBusy={action.isPending}
      error={action.error && <Notice kind="danger">{textOfError(action.error, language)}</Notice>}
      onConfirm={() =>
        action.mutate(
          { params: { id: applicationId, secretId: question.secret.id } },
          {
            onSuccess: () => {
              onClose()
              showToast({ text: isActivation ? text.activated : text.retiredToast })
            },
          },
        )
      }
    >
      {isActivation ? text.activateWarning : text.retireWarning}
    </Confirm>
  )
}
