import {
  activateWebhookSecret,
  listWebhookSecrets,
  retireWebhookSecret,
} from '#contract/integrations/webhook.ts'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { useWords } from '../../words/words.ts'
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
  const isActivation = question.kind === 'activate'
  if (question.kind === 'prepared')
    return (
      <Dialog title={text.readyTitle} isOpen onClose={onClose} isDismissable={false}>
        <NewSecret secret={question.value} onDone={onClose} />
      </Dialog>
    )
  return (
    <ConfirmAction
      operation={isActivation ? activateWebhookSecret : retireWebhookSecret}
      input={{ params: { id: applicationId, secretId: question.secret.id } }}
      refreshes={[listWebhookSecrets]}
      title={isActivation ? text.activateQuestion : text.retireQuestion}
      action={isActivation ? text.activateConfirm : text.retireConfirm}
      isDangerous={!isActivation}
      onClose={onClose}
      toast={() => (isActivation ? text.activated : text.retiredToast)}
    >
      {isActivation ? text.activateWarning : text.retireWarning}
    </ConfirmAction>
  )
}
