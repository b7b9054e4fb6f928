import { Fragment, type ReactNode } from 'react'
import styles from './facts.module.css'

/** A fact: its term and its value. Without a value it is left out. */
export type Fact = { term: string; value: ReactNode }

/** A list of facts about a thing: terms at the left, values at the right. */
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
