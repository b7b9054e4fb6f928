import { listDeliveries } from '#contract/integrations/deliveries.ts'
import { useRead } from '../../data/read.ts'
import { Section } from '../../parts/page.tsx'
import { Spoken } from '../../parts/spoken.tsx'
import { Status } from '../../parts/status.tsx'
import { TextLink } from '../../parts/text-link.tsx'
import { useWords } from '../../words/words.ts'
import { useApplicationHref } from '../application-links.ts'
import { OutcomeText } from '../deliveries/delivery-status.tsx'
import styles from '../integrations.module.css'
import { healthTexts } from './health.words.ts'

/** How often the delivery of a test is read until it has ended. */
const followMs = 1_000

/** Follows the delivery of a test until the receiver has it, or it has failed for good. */
export function WebhookTest({ applicationId, eventId }: { applicationId: string; eventId: string }) {
  const text = useWords(healthTexts)
  const hrefOf = useApplicationHref()
  const isOfTest = (one: { eventId: string }) => one.eventId === eventId
  const { data } = useRead(
    listDeliveries,
    { params: { id: applicationId }, query: { event: 'WEBHOOK_TEST', limit: 20 } },
    {
      staleMs: 0,
      pollMs: followMs,
      pollWhile: ({ items }) => (items.find(isOfTest)?.status ?? 'PENDING') === 'PENDING',
    },
  )
  const delivery = data?.items.find(isOfTest)
  const status = delivery?.status ?? 'PENDING'
  const look =
    status === 'DELIVERED'
      ? { icon: 'done' as const, kind: 'done' as const, word: text.testDelivered }
      : status === 'PENDING'
        ? {
            icon: 'clock' as const,
            kind: 'plain' as const,
            word: delivery && delivery.attempts > 0 ? text.testRetries(delivery.attempts) : text.testSent,
          }
        : { icon: 'failed' as const, kind: 'danger' as const, word: text.testFailed }
  return (
    <Section title={text.testTitle}>
      <p className={styles.buttons}>
        <Status icon={look.icon} kind={look.kind}>
          {look.word}
        </Status>
        {delivery?.outcome && <OutcomeText outcome={delivery.outcome} status={delivery.lastStatus} />}
        {delivery && (
          <TextLink href={hrefOf(applicationId, 'deliveries', `?open=${delivery.id}`)}>
            {text.openDelivery}
          </TextLink>
        )}
        <Spoken isLive>{look.word}</Spoken>
      </p>
    </Section>
  )
}
