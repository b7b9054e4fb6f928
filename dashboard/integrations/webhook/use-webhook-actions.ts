import { useState } from 'react'
import { listDeliveries } from '#contract/integrations/deliveries.ts'
import {
  holdWebhook,
  readWebhook,
  readWebhookHealth,
  removeWebhook,
  resumeWebhook,
  testWebhook,
} from '#contract/integrations/webhook.ts'
import type { Reply } from '#contract/route.ts'
import { useMay } from '../../data/organization.tsx'
import { useAction } from '../../data/read.ts'
import type { MenuEntry } from '../../parts/menu.tsx'
import { useWords } from '../../words/words.ts'
import type { OpenDialog, Webhook } from './webhook.ts'
import { webhookTexts } from './webhook.words.ts'

/** Resumes a paused webhook. */
export function useResumeWebhook(applicationId: string): { isBusy: boolean; resume: () => void } {
  const text = useWords(webhookTexts)
  const action = useAction(resumeWebhook, { refreshes: [readWebhook, readWebhookHealth] })
  const resume = () =>
    action.mutate(
      { params: { id: applicationId } },
      {
        toast: () => text.resumed,
        toastsFailure: true,
      },
    )
  return { isBusy: action.isPending, resume }
}

/** The actions of a webhook: its test, and the entries of its menu. */
export function useWebhookActions(
  applicationId: string,
  webhook: Webhook | undefined,
  open: (dialog: OpenDialog) => void,
) {
  const text = useWords(webhookTexts)
  const may = useMay()
  const [test, setTest] = useState<Reply<typeof testWebhook>>()
  const sending = useAction(testWebhook, { refreshes: [listDeliveries, readWebhookHealth] })
  const { resume } = useResumeWebhook(applicationId)
  const isHeld = webhook?.status === 'HELD'
  const startTest = () =>
    sending.mutate(
      { params: { id: applicationId } },
      {
        onSuccess: setTest,
        toastsFailure: true,
      },
    )
  const entries: MenuEntry[] = [
    ...(isHeld
      ? may(resumeWebhook)
        ? [{ id: 'resume', label: text.resume, icon: 'retry' as const, onAction: resume }]
        : []
      : may(holdWebhook)
        ? [{ id: 'pause', label: text.pause, icon: 'clock' as const, onAction: () => open('pause') }]
        : []),
    ...(may(removeWebhook)
      ? [
          {
            id: 'remove',
            label: text.remove,
            icon: 'trash' as const,
            isDangerous: true,
            onAction: () => open('remove'),
          },
        ]
      : []),
  ]
  return {
    isTesting: sending.isPending,
    test,
    // a paused webhook sends nothing
    startTest: may(testWebhook) && webhook && !isHeld ? startTest : undefined,
    entries,
  }
}
