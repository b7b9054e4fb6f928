import { useLanguage } from '../words/words.ts'
import styles from './money.module.css'
import { figuresText, moneyPieces } from './money-text.ts'

export type MoneyProps = {
  /** In the smallest unit of the currency. */
  cents: number
  currency: string
  /** `great` is the one figure of a screen. `bare` leaves out the currency, for prices in a column with a sum. */
  form?: 'usual' | 'great' | 'bare'
}

/** An amount of money in the notation of the person's language: `1.536,70 €`, `€1,536.70`. */
export function Money({ cents, currency, form = 'usual' }: MoneyProps) {
  const language = useLanguage()
  return (
    <data value={`${cents} ${currency}`} className={`${styles.money} ${styles[form] ?? ''}`}>
      {form === 'bare'
        ? figuresText(cents, currency, language)
        : moneyPieces(cents, currency, language).map(({ kind, text }) =>
            kind === 'sign' ? (
              <span key="sign" className={styles.sign}>
                {text}
              </span>
            ) : (
              text
            ),
          )}
    </data>
  )
}
