import { useLanguage } from '../words/words.ts'
import { countText } from './number-text.ts'
import styles from './total.module.css'

/** How many things a list has on the server. The dot means that changes of others appear by themselves. */
export function Total({
  count,
  cap,
  isLive = false,
  label,
}: {
  count: number
  cap?: number
  isLive?: boolean
  label?: string
}) {
  const text = countText(count, useLanguage(), cap)
  return (
    <span className={styles.total}>
      {isLive && <span className={styles.dot} aria-hidden="true" />}
      {text}
      {label && ` ${label}`}
    </span>
  )
}
