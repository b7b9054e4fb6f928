import { settleDifference } from '#contract/billing/reconciliation.ts'
import { useMay } from '../../data/organization.tsx'
import { Button } from '../../parts/button.tsx'
import { Id } from '../../parts/id.tsx'
import { Money } from '../../parts/money.tsx'
import { Time } from '../../parts/time.tsx'
import { useWords } from '../../words/words.ts'
import { causeOf, type Difference, objectOf } from './difference-cause.ts'
import styles from './reconciliation.module.css'
import { reconciliationTexts } from './reconciliation.words.ts'

/** One difference: what each side says, what probably happened, and the button that settles it. */
export function DifferenceEntry({ difference, onSettle }: { difference: Difference; onSettle: () => void }) {
  const text = useWords(reconciliationTexts)
  const may = useMay()
  const { gatewayObjectId, day, foundAt, thereCents, hereCents, currency } = difference
  const sides = [
    [text.gateway, thereCents],
    [text.ledger, hereCents],
  ] as const
  return (
    <article className={styles.difference} aria-label={`${text[objectOf(difference)]} ${gatewayObjectId}`}>
      <header className={styles.head}>
        <b className={styles.what}>{text[objectOf(difference)]}</b>
        <Id value={gatewayObjectId} />
        <span className={styles.beside}>
          <Time value={day} /> · {text.found} <Time value={foundAt} />
        </span>
      </header>
      <dl className={styles.sides}>
        {sides.map(([term, cents]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>
              {cents === null ? (
                <span className={styles.nothing}>{text.nothing}</span>
              ) : (
                <Money cents={cents} currency={currency} />
              )}
            </dd>
          </div>
        ))}
        <div className={styles.cause}>
          <dt>{text.probably}</dt>
          <dd>{text[causeOf(difference)]}</dd>
        </div>
      </dl>
      {may(settleDifference) && <Button onPress={onSettle}>{text.settle}</Button>}
    </article>
  )
}
