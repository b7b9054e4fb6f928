import { useMemo, useState } from 'react'
import { listDeliveries, listOrganizationDeliveries } from '#contract/integrations/deliveries.ts'
import { listRecoveries, replayEvents } from '#contract/integrations/recoveries.ts'
import { readWebhookHealth } from '#contract/integrations/webhook.ts'
import { limits } from '#contract/limits.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { useAction, useRead } from '../../data/read.ts'
import { Choice } from '../../parts/choice.tsx'
import { currentTime } from '../../parts/clock.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useWords } from '../../words/words.ts'
import { rangeOf } from '../deliveries/delivery-search.rules.ts'
import { recoveryTexts } from './recovery.words.ts'
import { StartFields } from './start-fields.tsx'

const times = ['1h', '6h', '24h'] as const

/** Delivers events that the application never received, counted first (DLV-14). */
export function ReplayDialog({ applicationId, onClose }: { applicationId: string; onClose: () => void }) {
  const text = useWords(recoveryTexts)
  const [time, setTime] = useState<(typeof times)[number]>('24h')
  const [perSecond, setPerSecond] = useState<number | null>(limits.recoveryPerSecondDefault)
  const since = useMemo(() => rangeOf(time, currentTime()).since, [time])
  const body = since === undefined ? {} : { since }
  const counted = useRead(
    replayEvents,
    { params: { id: applicationId }, body: { ...body, dryRun: true } },
    { staleMs: 0 },
  )
  const replay = useAction(replayEvents, {
    refreshes: [listRecoveries, listDeliveries, listOrganizationDeliveries, readWebhookHealth],
  })
  async function start(): Promise<void> {
    const { count } = await replay.mutateAsync({
      params: { id: applicationId },
      body: { ...body, perSecond: perSecond ?? limits.recoveryPerSecondDefault },
    })
    onClose()
    showToast({ kind: 'info', text: text.startedReplay(count) })
  }
  return (
    <Dialog title={text.replayTitle} isOpen onClose={onClose}>
      <ActionForm onSubmit={start}>
        {({ isBusy }) => (
          <>
            <p>{text.replayAbout}</p>
            <Choice
              label={text.time}
              options={times.map(value => ({ value, label: text[value] }))}
              value={time}
              onChange={setTime}
            />
            <StartFields
              counted={counted}
              found={text.foundEvents}
              action={text.startReplay}
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
