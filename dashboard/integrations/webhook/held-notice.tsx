import { resumeWebhook } from '#contract/integrations/webhook.ts'
import { useMay } from '../../data/organization.tsx'
import { Button } from '../../parts/button.tsx'
import { Notice } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { useWords } from '../../words/words.ts'
import type { Application } from '../application.ts'
import { overviewTexts } from '../applications/overview.words.ts'
import styles from '../integrations.module.css'
import { useResumeWebhook } from './use-webhook-actions.ts'
import type { Webhook } from './webhook.ts'
import { webhookTexts } from './webhook.words.ts'

/** Why nothing is sent: the webhook is paused, or its application is disabled. */
export function HeldNotice({ webhook, application }: { webhook: Webhook; application: Application }) {
  const text = useWords(webhookTexts)
  const { isDisabled } = useWords(overviewTexts)
  const may = useMay()
  const { isBusy, resume } = useResumeWebhook(application.id)
  const { status, heldReason, heldAt } = webhook
  if (status === 'ACTIVE' && application.status === 'ACTIVE') return null
  return (
    <div className={styles.note}>
      {application.status === 'DISABLED' && <Notice kind="warn">{isDisabled}</Notice>}
      {status === 'HELD' && (
        <Notice kind={heldReason === 'FAILING' ? 'danger' : 'warn'}>
          <div className={styles.noteLine}>
            <span>
              {heldReason === 'FAILING' ? text.pausedForFailing : text.pausedByPerson} {text.since}{' '}
              <Time value={heldAt ?? ''} form="moment" />.
            </span>
            {may(resumeWebhook) && (
              <Button size="small" isBusy={isBusy} onPress={resume}>
                {text.resume}
              </Button>
            )}
          </div>
        </Notice>
      )}
    </div>
  )
}
