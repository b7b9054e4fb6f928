import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { listDeliveries, listOrganizationDeliveries } from '#contract/integrations/deliveries.ts'
import { applicationEvents } from '#contract/integrations/event-list.ts'
import { listRecoveries, recoverable, recoverDeliveries } from '#contract/integrations/recoveries.ts'
import { readWebhookHealth } from '#contract/integrations/webhook.ts'
import { limits } from '#contract/limits.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { useAction, useRead } from '../../data/read.ts'
import { Choice } from '../../parts/choice.tsx'
import { currentTime } from '../../parts/clock.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { useApplicationHref } from '../application-links.ts'
import { timesOf } from '../deliveries/delivery-filters.tsx'
import { type DeliveryFilters, rangeOf } from '../deliveries/delivery-search.rules.ts'
import { deliveryStatusTexts } from '../deliveries/delivery-status.tsx'
import styles from '../integrations.module.css'
import { sinceOf } from './recovery.rules.ts'
import { recoveryTexts } from './recovery.words.ts'
import { StartFields } from './start-fields.tsx'

type Recoverable = (typeof recoverable)[number]
type RecoverDialogProps = {
  /** The applications of which one is chosen. */
  applications: readonly { id: string; name: string }[]
  /** The filters of the list from which it was opened. */
  first: Pick<DeliveryFilters, 'event' | 'time'> & { status: Recoverable }
  onClose: () => void
}

const all = 'ALL'

/** Recovers all deliveries that the filters find, counted first (DLV-13). */
export function RecoverDialog({ applications, first, onClose }: RecoverDialogProps) {
  const text = useWords(recoveryTexts)
  const statuses = useWords(deliveryStatusTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const hrefOf = useApplicationHref()
  const [id, setId] = useState(applications[0]?.id ?? '')
  const [status, setStatus] = useState<Recoverable>(first.status)
  const [event, setEvent] = useState(first.event ?? all)
  const [time, setTime] = useState(first.time ?? all)
  const [perSecond, setPerSecond] = useState<number | null>(limits.recoveryPerSecondDefault)
  const filter = useMemo(() => {
    const now = currentTime()
    const { since, until } = rangeOf(time === all ? undefined : time, now)
    return {
      since: sinceOf(since, now, limits.webhookRetentionDays),
      ...(until && { until }),
      status,
      ...(event !== all && { event }),
    }
  }, [time, status, event])
  const counted = useRead(
    recoverDeliveries,
    { params: { id }, body: { ...filter, dryRun: true } },
    { staleMs: 0 },
  )
  const recover = useAction(recoverDeliveries, {
    refreshes: [listRecoveries, listDeliveries, listOrganizationDeliveries, readWebhookHealth],
  })
  async function start(): Promise<void> {
    const { count } = await recover.mutateAsync({
      params: { id },
      body: { ...filter, perSecond: perSecond ?? limits.recoveryPerSecondDefault },
    })
    onClose()
    showToast({ kind: 'info', text: text.startedRecovery(count) })
    void navigate({ to: hrefOf(id, 'recovery') })
  }
  const knownEvents = applicationEvents.map(({ event: name }) => name as string)
  return (
    <Dialog title={text.recoverTitle} isOpen onClose={onClose}>
      <ActionForm onSubmit={start}>
        {({ isBusy }) => (
          <>
            {applications.length > 1 && (
              <Choice
                label={text.application}
                options={applications.map(({ id: value, name }) => ({ value, label: name }))}
                value={id}
                onChange={setId}
              />
            )}
            <div className={styles.pair}>
              <Choice
                label={text.status}
                options={recoverable.map(value => ({ value, label: statuses[value] }))}
                value={status}
                onChange={setStatus}
              />
              <Choice
                label={text.time}
                options={[{ value: all, label: text.allTime }, ...timesOf(text, language)]}
                value={time}
                onChange={setTime}
              />
            </div>
            <Choice
              label={text.event}
              options={[
                { value: all, label: text.allEvents },
                ...(event === all || knownEvents.includes(event) ? [] : [event])
                  .concat(knownEvents)
                  .map(value => ({
                    value,
                    label: value,
                  })),
              ]}
              value={event}
              onChange={setEvent}
            />
            <StartFields
              counted={counted}
              found={text.found}
              action={text.startRecovery}
              perSecond={perSecond}
              onRate={setPerSecond}
              isBusy={isBusy}
              onClose={onClose}
            />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}
