import { listDeliveries } from '#contract/integrations/deliveries.ts'
import { holdWebhook, readWebhook, readWebhookHealth, removeWebhook } from '#contract/integrations/webhook.ts'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { useRead } from '../../data/read.ts'
import { useWords } from '../../words/words.ts'
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
  return (
    <ConfirmAction
      operation={holdWebhook}
      input={{ params: { id: applicationId } }}
      refreshes={[readWebhook, readWebhookHealth]}
      title={text.pauseQuestion}
      action={text.pauseAction}
      onClose={onClose}
      toast={() => text.paused}
    >
      {text.pauseAbout}
    </ConfirmAction>
  )
}

function RemoveQuestion({ applicationId, webhook, onClose }: QuestionProps) {
  const text = useWords(webhookTexts)
  const health = useRead(readWebhookHealth, { params: { id: applicationId } })
  const host = hostOf(webhook.url)
  return (
    <ConfirmAction
      operation={removeWebhook}
      input={{ params: { id: applicationId } }}
      refreshes={[readWebhook, listDeliveries]}
      title={text.removeQuestion(host)}
      action={text.removeAction}
      isDangerous
      nameToType={host}
      onClose={onClose}
      toast={() => text.removed}
    >
      {text.removeAbout(health.data?.waiting ?? 0)}
    </ConfirmAction>
  )
}
