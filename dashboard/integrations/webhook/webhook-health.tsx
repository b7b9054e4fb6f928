import { readWebhookHealth } from '#contract/integrations/webhook.ts'
import { useRead } from '../../data/read.ts'
import { Facts } from '../../parts/facts.tsx'
import { countText } from '../../parts/number-text.ts'
import { Section } from '../../parts/page.tsx'
import { Notice, Skeleton } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import type { Application } from '../application.ts'
import { useApplicationHref } from '../application-links.ts'
import { OutcomeText } from '../deliveries/delivery-status.tsx'
import styles from '../integrations.module.css'
import { healthTexts } from './health.words.ts'
import { conditionOf, type WebhookHealth } from './webhook.rules.ts'
import type { Webhook } from './webhook.ts'

const healthMs = 5_000
const looks = {
  working: { icon: 'done', kind: 'done' },
  unused: { icon: 'dashed', kind: 'quiet' },
  waiting: { icon: 'clock', kind: 'plain' },
  failing: { icon: 'failed', kind: 'danger' },
  paused: { icon: 'clock', kind: 'warn' },
  pausedForFailing: { icon: 'failed', kind: 'danger' },
} as const

/** How a webhook is doing (WHK-11), read again while it is shown. */
export function WebhookHealthSection({ application }: { webhook: Webhook; application: Application }) {
  const text = useWords(healthTexts)
  const { id } = application
  const { data } = useRead(readWebhookHealth, { params: { id } }, { staleMs: 0, pollMs: healthMs })
  return (
    <Section title={text.title}>
      {data ? <Health applicationId={id} health={data} /> : <Skeleton rows={4} label={text.reading} />}
    </Section>
  )
}

function Health({ applicationId, health }: { applicationId: string; health: WebhookHealth }) {
  const text = useWords(healthTexts)
  const language = useLanguage()
  const hrefOf = useApplicationHref()
  const condition = conditionOf(health)
  const { lastDeliveredAt, failingSince, failedInRow, last24Hours, waiting, oldestDueAt, lastFailure } =
    health
  return (
    <div className={styles.stack}>
      {health.goneAt && <Notice kind="warn">{text.gone}</Notice>}
      <Facts
        facts={[
          { term: text.condition, value: <Status {...looks[condition]}>{text[condition]}</Status> },
          {
            term: text.lastDelivered,
            value: lastDeliveredAt ? <Time value={lastDeliveredAt} isFocusable /> : text.none,
          },
          failingSince !== null && {
            term: text.failingSince,
            value: (
              <>
                <Time value={failingSince} form="moment" isFocusable />
                {failedInRow > 0 && `, ${text.inRow(failedInRow)}`}
              </>
            ),
          },
          {
            term: text.day,
            value: (
              <>
                {text.delivered(last24Hours.delivered)} · {text.failed(last24Hours.failed)}
              </>
            ),
          },
          waiting > 0 && {
            term: text.queue,
            value: (
              <>
                {countText(waiting, language)}
                {oldestDueAt && (
                  <>
                    , {text.oldest} <Time value={oldestDueAt} />
                  </>
                )}
              </>
            ),
          },
          lastFailure !== null && {
            term: text.lastFailure,
            value: (
              <>
                <TextLink href={hrefOf(applicationId, 'deliveries', `?open=${lastFailure.deliveryId}`)}>
                  {lastFailure.event}
                </TextLink>{' '}
                <OutcomeText outcome={lastFailure.outcome} status={lastFailure.status} />
                {lastFailure.finishedAt && (
                  <>
                    {' · '}
                    <Time value={lastFailure.finishedAt} />
                  </>
                )}
              </>
            ),
          },
        ]}
      />
      {last24Hours.failed > 0 && (
        <p className={styles.buttons}>
          <TextLink href={hrefOf(applicationId, 'deliveries', '?status=FAILED')}>{text.see}</TextLink>
          <TextLink href={hrefOf(applicationId, 'recovery')}>{text.recover}</TextLink>
        </p>
      )}
    </div>
  )
}
