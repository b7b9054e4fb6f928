import { useState } from 'react'
import { listDeliveries, listOrganizationDeliveries } from '#contract/integrations/deliveries.ts'
import { cancelRecovery, listRecoveries } from '#contract/integrations/recoveries.ts'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { useMay } from '../../data/organization.tsx'
import { Button } from '../../parts/button.tsx'
import { countText } from '../../parts/number-text.ts'
import { Progress } from '../../parts/progress.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './recovery.module.css'
import { progressOf, type Recovery } from './recovery.rules.ts'
import { recoveryTexts } from './recovery.words.ts'

const looks = {
  RUNNING: { icon: 'clock', kind: 'warn' },
  DONE: { icon: 'done', kind: 'done' },
  CANCELLED: { icon: 'blocked', kind: 'quiet' },
} as const

/** The recoveries and replays of a webhook, the newest first, each with its rate and its progress. */
export function RecoveryList({
  applicationId,
  recoveries,
}: {
  applicationId: string
  recoveries: readonly Recovery[]
}) {
  const text = useWords(recoveryTexts)
  const [stopped, setStopped] = useState<Recovery>()
  if (recoveries.length === 0) return <p className={styles.quiet}>{text.none}</p>
  return (
    <>
      <ul>
        {recoveries.map(recovery => (
          <RecoveryItem key={recovery.id} recovery={recovery} onStop={() => setStopped(recovery)} />
        ))}
      </ul>
      {stopped && (
        <StopDialog applicationId={applicationId} recovery={stopped} onClose={() => setStopped(undefined)} />
      )}
    </>
  )
}

function RecoveryItem({ recovery, onStop }: { recovery: Recovery; onStop: () => void }) {
  const text = useWords(recoveryTexts)
  const language = useLanguage()
  const may = useMay()
  const count = (value: number) => countText(value, language, Number.POSITIVE_INFINITY)
  const { kind, state, perSecond, total, waiting, cancelled, createdAt } = recovery
  const done = total - waiting - cancelled
  return (
    <li className={styles.item}>
      <div className={styles.line}>
        <span className={styles.kind}>{text[kind]}</span>
        <Status {...looks[state]}>{text[state]}</Status>
        <span className={styles.quiet}>
          <Time value={createdAt} form="moment" />
        </span>
        {state === 'RUNNING' && may(cancelRecovery) && (
          <span className={styles.action}>
            <Button size="small" aria-label={text.stopIt(text[kind])} onPress={onStop}>
              {text.stop}
            </Button>
          </span>
        )}
      </div>
      <Progress
        label={[
          text.perSecond(perSecond),
          ...(waiting > 0 ? [text.waiting(count(waiting))] : []),
          ...(cancelled > 0 ? [text.cancelled(count(cancelled))] : []),
        ].join(' · ')}
        value={progressOf(recovery)}
        about={text.progress(count(done), count(total))}
      />
    </li>
  )
}

function StopDialog({
  applicationId,
  recovery,
  onClose,
}: {
  applicationId: string
  recovery: Recovery
  onClose: () => void
}) {
  const text = useWords(recoveryTexts)
  const language = useLanguage()
  return (
    <ConfirmAction
      operation={cancelRecovery}
      input={{ params: { id: applicationId, recoveryId: recovery.id } }}
      refreshes={[listRecoveries, listDeliveries, listOrganizationDeliveries]}
      title={text.stopQuestion}
      action={text.stopAction}
      onClose={onClose}
      toast={({ cancelled }) => text.stopped(countText(cancelled, language, Number.POSITIVE_INFINITY))}
    >
      {text.stopAbout}
    </ConfirmAction>
  )
}
