import { Fragment, type ReactNode } from 'react'
import styles from './facts.module.css'

/** A term and its value. A fact without a value is left out. */
export type Fact = { term: string; value: ReactNode }

/** A list of facts: terms at the left, values at the right. */
export function Facts({ facts }: { facts: readonly (Fact | false | undefined)[] }) {
  return (
    <dl className={styles.facts}>
      {facts
        .filter(fact => fact !== false && fact !== undefined)
        .filter(({ value }) => value !== undefined && value !== null && value !== false && value !== '')
        .map(({ term, value }) => (
          <Fragment key={term}>
            <dt className={styles.term}>{term}</dt>
            <dd className={styles.value}>{value}</dd>
          </Fragment>
        ))}
    </dl>
  )
}
