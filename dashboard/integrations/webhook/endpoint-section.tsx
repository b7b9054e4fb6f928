import { Button } from '../../parts/button.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Section } from '../../parts/page.tsx'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from '../integrations.module.css'
import { eventTexts } from './event.words.ts'
import { isKnownEvent } from './webhook.rules.ts'
import type { Webhook } from './webhook.ts'
import { webhookTexts } from './webhook.words.ts'

/** The address of a webhook, its events, and how it sends. */
export function EndpointSection({
  webhook: { url, events, maxPerSecond, ordered, standardHeaders, updatedAt },
  onChange,
  preload,
}: {
  webhook: Webhook
  /** Undefined for people who may not change it. */
  onChange: (() => void) | undefined
  preload: () => void
}) {
  const text = useWords(webhookTexts)
  return (
    <Section
      title={text.endpoint}
      actions={
        onChange && (
          <Button shortcut="e" onPress={onChange} onHoverStart={preload}>
            {text.change}
          </Button>
        )
      }
    >
      <Facts
        facts={[
          {
            term: text.url,
            value: (
              <span className={styles.copied}>
                <code className={styles.code}>{url}</code>
                <CopyButton text={url} />
              </span>
            ),
          },
          { term: text.events, value: <EventList events={events} /> },
          {
            term: text.rate,
            value: maxPerSecond === null ? text.rateFree : text.ratePerSecond(maxPerSecond),
          },
          { term: text.order, value: ordered ? text.ordered : text.notOrdered },
          { term: text.headers, value: standardHeaders ? text.standardHeaders : text.usualHeaders },
          { term: text.changed, value: <Time value={updatedAt} form="moment" isFocusable /> },
        ]}
      />
    </Section>
  )
}

function EventList({ events }: { events: readonly string[] }) {
  const text = useWords(webhookTexts)
  const language = useLanguage()
  if (events.length === 0) return <span className={styles.quiet}>{text.noEvents}</span>
  return (
    <ul className={styles.tight}>
      {events.map(event => (
        <li key={event}>
          <code className={styles.code}>{event}</code>{' '}
          <span className={styles.quiet}>
            {isKnownEvent(event, eventTexts.en) ? eventTexts[language][event] : text.unknownEvent}
          </span>
        </li>
      ))}
    </ul>
  )
}
