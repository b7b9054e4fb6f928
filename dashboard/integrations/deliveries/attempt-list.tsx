import { Icon } from '../../parts/icon.tsx'
import { Spoken } from '../../parts/spoken.tsx'
import { absoluteTime, exactDurationText } from '../../parts/time-text.ts'
import { type Language, useLanguage, useWords } from '../../words/words.ts'
import { piecesOf, scaleOf, waitBefore } from './attempt.rules.ts'
import styles from './attempts.module.css'
import type { Attempt } from './delivery.ts'
import { deliveryTexts } from './delivery-detail.words.ts'
import { OutcomeText } from './delivery-status.tsx'

/** The attempts of a delivery as bars on one scale. A press on one shows its details. */
export function AttemptList({
  history,
  current,
  onChoose,
}: {
  history: readonly Attempt[]
  current: number
  onChoose: (n: number) => void
}) {
  const text = useWords(deliveryTexts)
  const language = useLanguage()
  const end = scaleOf(history)
  return (
    <section aria-label={text.attempts}>
      <header className={styles.head}>
        <h3 className={styles.title}>{text.attempts}</h3>
        {history.length > 0 && (
          <span className={styles.quiet}>{text.scale(exactDurationText(end, language))}</span>
        )}
      </header>
      {history.length === 0 && <p className={styles.quiet}>{text.noAttempts}</p>}
      <ol className={styles.list}>
        {history.map((attempt, index) => (
          <li key={attempt.n}>
            <button
              type="button"
              className={styles.attempt}
              aria-pressed={attempt.n === current}
              onClick={() => onChoose(attempt.n)}
            >
              <span className={styles.number}>{attempt.n}</span>
              <span className={styles.time}>
                {absoluteTime(Date.parse(attempt.startedAt), language, 'seconds')}
                <Spoken>, {reasonOf(attempt, history, index, text, language)}</Spoken>
              </span>
              <AttemptBar attempt={attempt} end={end} />
              <span className={styles.duration}>{exactDurationText(attempt.durationMs, language)}</span>
              <Outcome attempt={attempt} />
              <span className={styles.why} aria-hidden="true">
                {reasonOf(attempt, history, index, text, language)}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}

type Texts = Readonly<Record<'first' | 'MANUAL' | 'RECOVERY', string>> & { after: (wait: string) => string }

/** Why the attempt was made: the first one, after a wait, or because a person asked for it. */
function reasonOf(
  { trigger }: Attempt,
  history: readonly Attempt[],
  index: number,
  text: Texts,
  language: Language,
): string {
  if (trigger === 'MANUAL') return text.MANUAL
  const wait = waitBefore(history, index)
  if (trigger === 'RECOVERY' && history[index - 1]?.trigger !== 'RECOVERY') return text.RECOVERY
  return wait === undefined ? text.first : text.after(exactDurationText(wait, language))
}

function Outcome({ attempt: { outcome, status } }: { attempt: Attempt }) {
  const isDone = outcome === 'DELIVERED'
  return (
    <span className={`${styles.outcome} ${isDone ? styles.done : styles.failed}`}>
      <Icon name={isDone ? 'done' : outcome === 'TIMEOUT' ? 'clock' : 'failed'} />
      <span>
        <OutcomeText outcome={outcome} status={status} />
      </span>
    </span>
  )
}

/** The phases of an attempt on the scale of all attempts; one piece if they were not measured. */
function AttemptBar({ attempt, end }: { attempt: Attempt; end: number }) {
  const percent = (ms: number) => `${(ms / end) * 100}%`
  const pieces = piecesOf(attempt)
  return (
    <svg className={styles.bar} aria-hidden="true">
      {[0.25, 0.5, 0.75, 1].map(part => (
        <rect key={part} x={`${part * 100}%`} width="1" height="100%" className={styles.tick} />
      ))}
      {pieces.length === 0 ? (
        <rect width={percent(attempt.durationMs)} y="3" height="10" className={styles.unknown} />
      ) : (
        pieces.map(({ phase, startMs, durationMs }) => (
          <rect
            key={phase}
            x={percent(startMs)}
            width={percent(durationMs)}
            y="3"
            height="10"
            className={styles[phase]}
          />
        ))
      )}
      {attempt.outcome !== 'DELIVERED' && (
        <rect x={percent(attempt.durationMs)} width="2" y="3" height="10" className={styles.unknown} />
      )}
    </svg>
  )
}
