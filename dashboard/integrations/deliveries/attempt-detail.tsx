import { Share } from '../../charts/share.tsx'
import { Code } from '../../parts/code.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Id } from '../../parts/id.tsx'
import { LocalTabs } from '../../parts/local-tabs.tsx'
import { Time } from '../../parts/time.tsx'
import { exactDurationText } from '../../parts/time-text.ts'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from '../integrations.module.css'
import { curlOf, jsonOf, piecesOf, requestHeaders } from './attempt.rules.ts'
import type { Attempt, WholeDelivery } from './delivery.ts'
import { deliveryTexts } from './delivery-detail.words.ts'

/** An attempt: its phases, the answer, the request with its signature, and a command that repeats it. */
export function AttemptDetail({
  attempt,
  delivery,
  url,
}: {
  attempt: Attempt
  delivery: WholeDelivery
  /** The address of the webhook now; undefined if it was deleted. */
  url: string | undefined
}) {
  const text = useWords(deliveryTexts)
  const language = useLanguage()
  const pieces = piecesOf(attempt)
  const tabs = [
    { id: 'answer', title: text.answer, content: <Answer attempt={attempt} /> },
    {
      id: 'request',
      title: text.request,
      content: <BodyText text={delivery.body} label={text.requestBody} />,
    },
    {
      id: 'headers',
      title: text.headers,
      content: <Headers delivery={delivery} secretId={attempt.secretId} />,
    },
    ...(url === undefined
      ? []
      : [
          {
            id: 'curl',
            title: 'curl',
            content: (
              <div className={styles.tight}>
                <p className={styles.quiet}>{text.curlAbout}</p>
                <Code text={curlOf(delivery, url)} label={text.curlLabel} isWrapped />
              </div>
            ),
          },
        ]),
  ]
  return (
    <section className={styles.stack} aria-label={text.attempt(attempt.n)}>
      <header className={styles.noteLine}>
        <h3 className={styles.title}>{text.attempt(attempt.n)}</h3>
        <span className={styles.quiet}>
          {exactDurationText(attempt.durationMs, language)},{' '}
          <Time value={attempt.startedAt} form="moment" isFocusable />
        </span>
      </header>
      {pieces.length > 0 && (
        <Share
          label={text.attempt(attempt.n)}
          parts={pieces.map(({ phase, durationMs }) => ({
            id: phase,
            label: text[phase],
            value: durationMs,
            text: exactDurationText(durationMs, language),
          }))}
        />
      )}
      <LocalTabs label={text.attempt(attempt.n)} tabs={tabs} />
    </section>
  )
}

function Answer({ attempt: { status, answer, answerHeaders, error, address } }: { attempt: Attempt }) {
  const text = useWords(deliveryTexts)
  const headers = Object.entries(answerHeaders ?? {}).map(([name, value]) => `${name}: ${String(value)}`)
  return (
    <div className={styles.stack}>
      {status === null && <p>{text.noAnswer}</p>}
      <Facts
        facts={[
          { term: text.error, value: error },
          { term: text.address, value: address && <code className={styles.code}>{address}</code> },
        ]}
      />
      {status !== null && (
        <Code text={[`HTTP ${status}`, ...headers].join('\n')} label={text.answerHeaders} isWrapped />
      )}
      {status !== null &&
        (answer ? (
          <BodyText text={answer} label={text.answerBody} />
        ) : (
          <p className={styles.quiet}>{text.emptyAnswer}</p>
        ))}
    </div>
  )
}

/** A body, indented if it is JSON, else as it is. */
function BodyText({ text, label }: { text: string; label: string }) {
  const json = jsonOf(text)
  return <Code text={json === undefined ? text : JSON.stringify(json, null, 2)} label={label} isWrapped />
}

/** The headers of the request, and how its signature was made. */
function Headers({ delivery, secretId }: { delivery: WholeDelivery; secretId: string | null }) {
  const text = useWords(deliveryTexts)
  const lines = [
    ...requestHeaders(delivery).map(([name, value]) => `${name}: ${value}`),
    `X-Service-Timestamp: ‹${text.timestampValue}›`,
    `X-Service-Signature: sha256=‹${text.signatureValue}›`,
  ]
  return (
    <div className={styles.stack}>
      <Code text={lines.join('\n')} label={text.requestHeaders} isWrapped />
      <p className={styles.quiet}>{text.signatureAbout}</p>
      {secretId !== null && (
        <Facts facts={[{ term: text.signedWith, value: <Id value={secretId} isShortened /> }]} />
      )}
    </div>
  )
}
