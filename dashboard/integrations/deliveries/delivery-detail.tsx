import { useState } from 'react'
import type { ApplicationEventName } from '#contract/integrations/event-examples.ts'
import { limits } from '#contract/limits.ts'
import { Facts } from '../../parts/facts.tsx'
import { Id } from '../../parts/id.tsx'
import { Notice } from '../../parts/states.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { useApplicationHref } from '../application-links.ts'
import { GrantObstacleText } from '../grant-obstacle.tsx'
import styles from '../integrations.module.css'
import { eventTexts } from '../webhook/event.words.ts'
import { AttemptDetail } from './attempt-detail.tsx'
import { AttemptList } from './attempt-list.tsx'
import type { ListedDelivery } from './delivery.ts'
import { deliveryTexts } from './delivery-detail.words.ts'
import type { ShownDelivery } from './use-delivery.ts'

const dayMs = 86_400_000

/** A delivery: what happened and what to do, its attempts, and its facts. */
export function DeliveryDetail({ shown, listed }: { shown: ShownDelivery; listed: ListedDelivery }) {
  const text = useWords(deliveryTexts)
  const { whole, obstacle, url, application, retry } = shown
  const [chosen, setChosen] = useState<number>()
  // without a choice, the last attempt
  const current = whole?.history.find(({ n }) => n === chosen) ?? whole?.history.at(-1)
  return (
    <div className={styles.stack}>
      <Explanation listed={listed} dueAt={whole?.dueAt ?? null} />
      {retry.reason && listed.status !== 'PENDING' && <p className={styles.quiet}>{retry.reason}</p>}
      {obstacle && (
        <Notice>
          {text.notReadable} <GrantObstacleText obstacle={obstacle} />
        </Notice>
      )}
      {whole && <AttemptList history={whole.history} current={current?.n ?? 0} onChoose={setChosen} />}
      {whole && current && <AttemptDetail key={current.n} attempt={current} delivery={whole} url={url} />}
      <DeliveryFacts
        listed={listed}
        applicationName={application?.name}
        applicationId={application?.id}
        url={url}
      />
    </div>
  )
}

/** A sentence about the outcome, and whether more attempts will follow. */
function Explanation({ listed, dueAt }: { listed: ListedDelivery; dueAt: string | null }) {
  const text = useWords(deliveryTexts)
  const { status, outcome, lastStatus } = listed
  if (status === 'DELIVERED' && outcome === 'DELIVERED') return null
  if (status === 'PENDING')
    return (
      <Notice kind={outcome === null ? 'info' : 'warn'}>
        {outcome !== null && `${reasonOf(listed, text)} `}
        {dueAt ? (
          <>
            {text.next}: <Time value={dueAt} form="moment" />
          </>
        ) : (
          text.willRetry
        )}
      </Notice>
    )
  return (
    <Notice kind={status === 'FAILED' ? 'danger' : 'warn'}>
      {status === 'NOT_AUTHORIZED' || status === 'CANCELLED'
        ? text[status]
        : reasonOf({ outcome, lastStatus }, text)}{' '}
      {status === 'FAILED' && text.final}
    </Notice>
  )
}

function reasonOf(
  { outcome, lastStatus }: Pick<ListedDelivery, 'outcome' | 'lastStatus'>,
  text: Readonly<Record<string, unknown>>,
): string {
  const byStatus =
    lastStatus === null ? undefined : (text[`status${lastStatus}`] ?? (lastStatus >= 500 && text.status5xx))
  const sentence = (outcome === 'HTTP_STATUS' && byStatus) || text[outcome ?? '']
  return typeof sentence === 'string' ? sentence : (outcome ?? '')
}

function DeliveryFacts({
  listed,
  applicationId,
  applicationName,
  url,
}: {
  listed: ListedDelivery
  applicationId: string | undefined
  applicationName: string | undefined
  url: string | undefined
}) {
  const text = useWords(deliveryTexts)
  const language = useLanguage()
  const hrefOf = useApplicationHref()
  const { id, event, eventId, emittedAt, finishedAt } = listed
  return (
    <section aria-label={text.facts} className={styles.tight}>
      <h3 className={styles.title}>{text.facts}</h3>
      <Facts
        facts={[
          { term: text.event, value: eventTexts[language][event as ApplicationEventName] },
          applicationId !== undefined && {
            term: text.application,
            value: <TextLink href={hrefOf(applicationId)}>{applicationName}</TextLink>,
          },
          { term: text.url, value: url && <code className={styles.code}>{url}</code> },
          { term: text.emitted, value: <Time value={emittedAt} form="moment" isFocusable /> },
          finishedAt !== null && {
            term: text.finished,
            value: <Time value={finishedAt} form="moment" isFocusable />,
          },
          {
            term: text.storedUntil,
            value: <Time value={Date.parse(emittedAt) + limits.webhookRetentionDays * dayMs} form="date" />,
          },
          { term: text.id, value: <Id value={id} isShortened /> },
          { term: text.eventId, value: <Id value={eventId} isShortened /> },
        ]}
      />
    </section>
  )
}
