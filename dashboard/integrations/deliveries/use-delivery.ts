import { readApplication } from '#contract/integrations/applications.ts'
import {
  listDeliveries,
  listOrganizationDeliveries,
  readDelivery,
  retryDelivery,
} from '#contract/integrations/deliveries.ts'
import { applicationEvents } from '#contract/integrations/event-list.ts'
import { readWebhook, readWebhookHealth } from '#contract/integrations/webhook.ts'
import { codeOf } from '../../data/errors.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { useAction, useRead } from '../../data/read.ts'
import { useWords } from '../../words/words.ts'
import type { Application } from '../application.ts'
import { type GrantObstacle, grantObstacleOf } from '../grant-rights.rules.ts'
import { isMoving } from './attempt.rules.ts'
import type { ListedDelivery, WholeDelivery } from './delivery.ts'
import { deliveryTexts } from './delivery-detail.words.ts'

const movingMs = 2_000

/** All that a screen of one delivery needs. */
export type ShownDelivery = {
  application: Application | undefined
  /** As the list has it: without body and attempts. Everybody who sees the screen may read it. */
  listed: ListedDelivery | undefined
  /** Undefined while it is read, and for people who may not read its content. */
  whole: WholeDelivery | undefined
  obstacle: GrantObstacle | undefined
  /** The address of the webhook now. */
  url: string | undefined
  error: unknown
  retry: {
    /** Undefined for people who may not retry. */
    start: (() => void) | undefined
    isBusy: boolean
    /** Why it is not possible now. */
    reason: string | undefined
  }
}

/** Reads a delivery, again while it waits for an attempt. */
export function useDelivery(applicationId: string | undefined, deliveryId: string): ShownDelivery {
  const { caller } = useOrganization()
  const isKnown = applicationId !== undefined
  const id = applicationId ?? ''
  const application = useRead(readApplication, { params: { id } }, { enabled: isKnown })
  const list = useRead(
    listOrganizationDeliveries,
    { query: { ids: [deliveryId], ...(isKnown && { applicationId: id }) } },
    {
      staleMs: 0,
      pollMs: movingMs,
      pollWhile: ({ items }) => items[0]?.status === 'PENDING',
    },
  )
  const listed = list.data?.items[0]
  const obstacle =
    listed && application.data && grantObstacleOf(caller, application.data, contentScopesOf(listed.event))
  const mayRead = caller.isAdministrator || (listed && application.data && !obstacle)
  const whole = useRead(
    readDelivery,
    { params: { id, deliveryId } },
    { enabled: isKnown && mayRead === true, staleMs: 0, pollMs: movingMs, pollWhile: isMoving },
  )
  const webhook = useRead(readWebhook, { params: { id } }, { enabled: isKnown })
  const hasWebhook = webhook.data !== undefined && codeOf(webhook.error) !== 'WEBHOOK_NOT_FOUND'
  const isHeld = webhook.data?.status === 'HELD' || application.data?.status === 'DISABLED'
  return {
    application: application.data,
    listed: whole.data ?? listed,
    whole: whole.data,
    obstacle: obstacle || undefined,
    url: hasWebhook ? webhook.data?.url : undefined,
    error: application.error ?? whole.error ?? (listed ? undefined : list.error),
    retry: useRetry(id, whole.data ?? listed, {
      isHeld,
      isWebhookGone: codeOf(webhook.error) === 'WEBHOOK_NOT_FOUND',
    }),
  }
}

function contentScopesOf(name: string) {
  return applicationEvents.find(({ event }) => event === name)?.contentScopes ?? []
}

function useRetry(
  applicationId: string,
  delivery: Pick<ListedDelivery, 'id' | 'status'> | undefined,
  { isHeld, isWebhookGone }: { isHeld: boolean; isWebhookGone: boolean },
): ShownDelivery['retry'] {
  const text = useWords(deliveryTexts)
  const may = useMay()
  const action = useAction(retryDelivery, {
    refreshes: [readDelivery, listDeliveries, listOrganizationDeliveries, readWebhookHealth],
  })
  if (!delivery || !may(retryDelivery)) return { start: undefined, isBusy: false, reason: undefined }
  const start = () =>
    action.mutate(
      { params: { id: applicationId, deliveryId: delivery.id } },
      {
        toast: () => ({ kind: 'info', text: text.retried }),
        toastsFailure: true,
      },
    )
  const isWaiting = delivery.status === 'PENDING'
  const reason = isWebhookGone
    ? text.noWebhook
    : isHeld
      ? text.isHeld
      : isWaiting
        ? text.isWaiting
        : undefined
  return { start, isBusy: action.isPending, reason }
}
