import { useState } from 'react'
import { readWebhook, setWebhook, testWebhook } from '#contract/integrations/webhook.ts'
import { codeOf, textOfError } from '../../data/errors.ts'
import { useMay } from '../../data/organization.tsx'
import { useRead } from '../../data/read.ts'
import { useShortcuts } from '../../data/shortcuts.ts'
import { Button } from '../../parts/button.tsx'
import { late } from '../../parts/late.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { Empty, Problem, Skeleton } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import type { Application } from '../application.ts'
import { ApplicationFrame, useApplication } from '../application-frame.tsx'
import { EndpointSection } from './endpoint-section.tsx'
import { HeldNotice } from './held-notice.tsx'
import { useWebhookActions } from './use-webhook-actions.ts'
import type { OpenDialog } from './webhook.ts'
import { webhookTexts } from './webhook.words.ts'
import { WebhookHealthSection } from './webhook-health.tsx'
import { WebhookSecrets } from './webhook-secrets.tsx'

const WebhookDialog = late(() => import('./webhook-dialog.tsx').then(dialog => dialog.WebhookDialog))
const WebhookQuestions = late(() =>
  import('./webhook-questions.tsx').then(questions => questions.WebhookQuestions),
)
const WebhookTest = late(() => import('./webhook-test.tsx').then(test => test.WebhookTest))

/** The webhook of an application: its health, its endpoint, and its secrets. */
export function ApplicationWebhook() {
  const text = useWords(webhookTexts)
  const may = useMay()
  const { applicationId } = useApplication()
  const { data, error } = useRead(readWebhook, { params: { id: applicationId } })
  const isMissing = codeOf(error) === 'WEBHOOK_NOT_FOUND'
  // the former webhook stays in the cache after it was deleted
  const webhook = isMissing ? undefined : data
  const [open, setOpen] = useState<OpenDialog>('none')
  const { isTesting, test, startTest, entries } = useWebhookActions(applicationId, webhook, setOpen)
  useShortcuts({
    e: webhook && may(setWebhook) ? { label: text.change, action: () => setOpen('set') } : undefined,
    t: webhook && startTest ? { label: text.test, action: startTest } : undefined,
  })
  return (
    <ApplicationFrame
      tab="webhook"
      actions={
        webhook && (
          <>
            <MoreMenu label={text.actions} groups={[{ id: 'actions', entries }]} />
            {may(testWebhook) && (
              <Button
                kind="primary"
                icon="deliveries"
                shortcut="t"
                isBusy={isTesting}
                isDisabled={!startTest}
                onPress={() => startTest?.()}
              >
                {text.test}
              </Button>
            )}
          </>
        )
      }
    >
      {application => (
        <>
          {webhook ? (
            <>
              <HeldNotice webhook={webhook} application={application} />
              {test && (
                <WebhookTest key={test.eventId} applicationId={applicationId} eventId={test.eventId} />
              )}
              <WebhookHealthSection webhook={webhook} application={application} />
              <EndpointSection
                webhook={webhook}
                onChange={may(setWebhook) ? () => setOpen('set') : undefined}
                preload={WebhookDialog.preload}
              />
              <WebhookSecrets application={application} />
            </>
          ) : (
            <NoWebhook
              application={application}
              error={isMissing ? undefined : error}
              isMissing={isMissing}
              onCreate={() => setOpen('set')}
            />
          )}
          {open === 'set' && (
            <WebhookDialog application={application} webhook={webhook} onClose={() => setOpen('none')} />
          )}
          {(open === 'pause' || open === 'remove') && webhook && (
            <WebhookQuestions
              question={open}
              applicationId={applicationId}
              webhook={webhook}
              onClose={() => setOpen('none')}
            />
          )}
        </>
      )}
    </ApplicationFrame>
  )
}

function NoWebhook({
  error,
  isMissing,
  onCreate,
}: {
  application: Application
  error: unknown
  isMissing: boolean
  onCreate: () => void
}) {
  const text = useWords(webhookTexts)
  const language = useLanguage()
  const may = useMay()
  if (error) return <Problem title={textOfError(error, language)} />
  if (!isMissing) return <Skeleton rows={6} label={text.reading} />
  return (
    <Empty
      title={text.empty}
      action={
        may(setWebhook) && (
          <Button kind="primary" onPress={onCreate} onHoverStart={WebhookDialog.preload}>
            {text.create}
          </Button>
        )
      }
    >
      {text.emptyAbout}
    </Empty>
  )
}
