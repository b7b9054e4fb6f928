import { listDeliveries } from '#contract/integrations/deliveries.ts'
import { holdWebhook, readWebhook, readWebhookHealth, removeWebhook } from '#contract/integrations/webhook.ts'
import { textOfError } from '../../data/errors.ts'
import { useAction, useRead } from '../../data/read.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { hostOf } from './webhook.rules.ts'
import type { Webhook } from './webhook.ts'
import { webhookTexts } from './webhook.words.ts'

type QuestionProps = { applicationId: string; webhook: Webhook; onClose: () => void }

/** Asks before a webhook is paused or deleted. */
export function WebhookQuestions({ question, ...props }: QuestionProps & { question: 'pause' | 'remove' }) {
  return question === 'pause' ? <PauseQuestion {...props} /> : <RemoveQuestion {...props} />
}

function PauseQuestion({ applicationId, onClose }: QuestionProps) {
  const text = useWords(webhookTexts)
  const language = useLanguage()
  const hold = useAction(holdWebhook, { refreshes: [readWebhook, readWebhookHealth] })
  return (
    <Confirm
      title={text.pauseQuestion}
      action={text.pauseAction}
      isOpen
      onClose={onClose}
      isBusy={hold.isPending}
      error={hold.error && <Notice kind="danger">{textOfError(hold.error, language)}</Notice>}
      onConfirm={() =>
        hold.mutate(
          { params: { id: applicationId } },
          {
            onSuccess: () => {
              onClose()
              showToast({ text: text.paused })
            },
          },
        )
      }
    >
      {text.pauseAbout}
    </Confirm>
  )
}

function RemoveQuestion({ applicationId, webhook, onClose }: QuestionProps) {
  const text = useWords(webhookTexts)
  const language = useLanguage()
  const health = useRead(readWebhookHealth, { params: { id: applicationId } })
  const remove = useAction(removeWebhook, { refreshes: [readWebhook, listDeliveries] })
  const host = hostOf(webhook.url)
  return (
    <Confirm
      title={text.removeQuestion(host)}
      action={text.removeAction}
      isDangerous
      nameToType={host}
      isOpen
      onClose={onClose}
      isBusy={remove.isPending}
      error={remove.error && <Notice kind="danger">{textOfError(remove.error, language)}</Notice>}
      onConfirm={() =>
        remove.mutate(
          { params: { id: applicationId } },
          {
            onSuccess: () => {
              onClose()
              showToast({ text: text.removed })
            },
          },
        )
      }
    >
      {text.removeAbout(health.data?.waiting ?? 0)}
    </Confirm>
  )
}
