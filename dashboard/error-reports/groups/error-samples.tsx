import { useState } from 'react'
import { useShortcuts } from '../../data/shortcuts.ts'
import { IconButton } from '../../parts/button.tsx'
import { Json } from '../../parts/code.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Id } from '../../parts/id.tsx'
import { Notice } from '../../parts/states.tsx'
import { Time } from '../../parts/time.tsx'
import { useWords } from '../../words/words.ts'
import { contextPartsOf } from './context.rules.ts'
import { placeOf, type Sample } from './error.ts'
import styles from './error-body.module.css'
import { errorDetailTexts } from './error-details.words.ts'
import { ErrorStack } from './error-stack.tsx'

/**
 * The samples of an error, the latest first, one at a time. `{` and `}` change it; on the page also `[` and `]`, which in
 * the sheet lead to the next error.
 */
export function ErrorSamples({
  samples,
  message,
  isPage,
}: {
  samples: readonly Sample[]
  /** The message above, which a sample does not repeat. */
  message: string
  isPage: boolean
}) {
  const text = useWords(errorDetailTexts)
  const [at, setAt] = useState(0)
  const index = Math.min(at, samples.length - 1)
  const sample = samples[index]
  const move = (step: number) => () => setAt(Math.max(0, Math.min(samples.length - 1, index + step)))
  const previous = index > 0 ? { label: text.previousSample, action: move(-1) } : undefined
  const next = index < samples.length - 1 ? { label: text.nextSample, action: move(1) } : undefined
  useShortcuts({ '{': previous, '}': next, ...(isPage && { '[': previous, ']': next }) }, text.samples)
  if (!sample) return <p className={styles.quiet}>{text.noSamples}</p>
  return (
    <section aria-label={text.samples} className={styles.samples}>
      <header className={styles.partHead}>
        <h2 className={styles.partTitle} aria-live="polite">
          {text.sampleOf(index + 1, samples.length)}
        </h2>
        <span className={styles.quiet}>
          {text[sample.kind]} · <Time value={sample.occurredAt} form="moment" />
        </span>
        <span className={styles.steps}>
          <IconButton
            icon="chevronLeft"
            label={text.previousSample}
            shortcut={isPage ? '[' : '{'}
            size="small"
            isDisabled={!previous}
            onPress={move(-1)}
          />
          <IconButton
            icon="chevronRight"
            label={text.nextSample}
            shortcut={isPage ? ']' : '}'}
            size="small"
            isDisabled={!next}
            onPress={move(1)}
          />
        </span>
      </header>
      <SampleBody key={index} sample={sample} message={message} />
    </section>
  )
}

function SampleBody({ sample, message }: { sample: Sample; message: string }) {
  const text = useWords(errorDetailTexts)
  const { endpoint, method, userId, requestId } = sample
  return (
    <>
      {sample.message !== message && <p className={styles.text}>{sample.message}</p>}
      <Facts
        facts={[
          { term: text.endpoint, value: endpoint && [method, endpoint].filter(Boolean).join(' ') },
          { term: text.function, value: sample.function },
          { term: text.user, value: userId },
          { term: text.request, value: requestId && <Id value={requestId} /> },
        ]}
      />
      {sample.stack ? (
        <ErrorStack stack={sample.stack} />
      ) : (
        <p className={styles.quiet}>
          {placeOf(sample)} {text.noStack}
        </p>
      )}
      <Context context={sample.context} />
    </>
  )
}

function Context({ context }: { context: Sample['context'] }) {
  const text = useWords(errorDetailTexts)
  if (context === null || Object.keys(context).length === 0) return null
  const { facts, rest, removed, isTruncated } = contextPartsOf(context)
  return (
    <section className={styles.part}>
      <h3 className={styles.partTitle}>{text.context}</h3>
      <Facts facts={facts} />
      {rest && <Json value={rest} label={text.context} />}
      {removed.length > 0 && (
        <p className={styles.quiet}>
          {text.removed} <span className={styles.paths}>{removed.join(', ')}</span>
        </p>
      )}
      {isTruncated && <Notice kind="warn">{text.truncated}</Notice>}
    </section>
  )
}
