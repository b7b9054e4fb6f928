import { useState } from 'react'
import { listRecoveries, recoverDeliveries, replayEvents } from '#contract/integrations/recoveries.ts'
import { readWebhook } from '#contract/integrations/webhook.ts'
import { codeOf, textOfError } from '../../data/errors.ts'
import { useMay } from '../../data/organization.tsx'
import { useRead } from '../../data/read.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { late } from '../../parts/late.tsx'
import { Section } from '../../parts/page.tsx'
import { Empty, Notice, Problem, Skeleton } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import type { Application } from '../application.ts'
import { ApplicationFrame } from '../application-frame.tsx'
import { useApplicationHref } from '../application-links.ts'
import styles from '../integrations.module.css'
import { recoveryTexts } from './recovery.words.ts'
import { RecoveryList } from './recovery-list.tsx'

const RecoverDialog = late(() => import('./recover-dialog.tsx').then(dialog => dialog.RecoverDialog))
const ReplayDialog = late(() => import('./replay-dialog.tsx').then(dialog => dialog.ReplayDialog))

const runningMs = 2_000

/** Sends failed deliveries again or past events late, and shows how far that is (DLV-13, DLV-14). */
export function ApplicationRecovery() {
  return (
    <ApplicationFrame tab="recovery">
      {application => <RecoveryOf application={application} />}
    </ApplicationFrame>
  )
}

function RecoveryOf({ application }: { application: Application }) {
  const text = useWords(recoveryTexts)
  const language = useLanguage()
  const hrefOf = useApplicationHref()
  const { id } = application
  const webhook = useRead(readWebhook, { params: { id } })
  const isMissing = codeOf(webhook.error) === 'WEBHOOK_NOT_FOUND'
  const hasWebhook = webhook.data !== undefined && !isMissing
  const { data } = useRead(
    listRecoveries,
    { params: { id } },
    {
      enabled: hasWebhook,
      staleMs: 0,
      pollMs: runningMs,
      // deliveries that fail wait for their next attempts also after it was stopped
      pollWhile: ({ items }) => items.some(({ state, waiting }) => state === 'RUNNING' || waiting > 0),
    },
  )
  if (isMissing)
    return (
      <Empty
        title={text.noWebhook}
        action={<ButtonLink href={hrefOf(id, 'webhook')}>{text.toWebhook}</ButtonLink>}
      >
        {text.noWebhookAbout}
      </Empty>
    )
  if (webhook.error) return <Problem title={textOfError(webhook.error, language)} />
  if (!hasWebhook || !data) return <Skeleton rows={5} label={text.reading} />
  const isHeld = webhook.data.status === 'HELD' || application.status === 'DISABLED'
  const isRunning = data.items.some(({ waiting }) => waiting > 0)
  return (
    <>
      <StartSections
        application={application}
        reason={isHeld ? text.isHeld : isRunning ? text.isRunning : undefined}
      />
      <Section title={text.title} about={text.about}>
        <RecoveryList applicationId={id} recoveries={data.items} />
      </Section>
    </>
  )
}

/** The actions that can be started; an obstacle says why one cannot be started now. */
function StartSections({ application, reason }: { application: Application; reason: string | undefined }) {
  const text = useWords(recoveryTexts)
  const may = useMay()
  const [open, setOpen] = useState<'none' | 'recover' | 'replay'>('none')
  return (
    <>
      {reason && (
        <div className={styles.note}>
          <Notice>{reason}</Notice>
        </div>
      )}
      {may(recoverDeliveries) && (
        <Section
          title={text.recoverTitle}
          about={text.recoverAbout}
          actions={
            <Button
              isDisabled={reason !== undefined}
              onPress={() => setOpen('recover')}
              onHoverStart={RecoverDialog.preload}
            >
              {text.recoverAction}
            </Button>
          }
        >
          {null}
        </Section>
      )}
      {may(replayEvents) && (
        <Section
          title={text.replayTitle}
          about={text.replayAbout}
          actions={
            <Button
              isDisabled={reason !== undefined}
              onPress={() => setOpen('replay')}
              onHoverStart={ReplayDialog.preload}
            >
              {text.replayAction}
            </Button>
          }
        >
          {null}
        </Section>
      )}
      {open === 'recover' && (
        <RecoverDialog
          applications={[application]}
          first={{ status: 'FAILED' }}
          onClose={() => setOpen('none')}
        />
      )}
      {open === 'replay' && <ReplayDialog applicationId={application.id} onClose={() => setOpen('none')} />}
    </>
  )
}
