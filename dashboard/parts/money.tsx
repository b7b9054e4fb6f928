import styles from './money.module.css'
import { moneyParts } from './money-text.ts'

export type MoneyProps = {
  /** In the smallest unit of the currency. */
  cents: number
  currency: string
  /** `great` is the one figure of a screen. `bare` leaves out the currency, for prices in a column with a sum. */
  form?: 'usual' | 'great' | 'bare'
}

/** An amount of money: `1.536,70 €`. */
export function Money({ cents, currency, form = 'usual' }: MoneyProps) {
  const { figures, sign } = moneyParts(cents, currency)
  return (
    <data value={`${cents} ${currency}`} className={`${styles.money} ${styles[form] ?? ''}`}>
      {figures}
      {form !== 'bare' && <span className={styles.sign}>{`\u00a0${sign}`}</span>}
    </data>
  )
}
