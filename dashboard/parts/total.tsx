import { type Language, locales, useLanguage } from '../words/words.ts'
import styles from './total.module.css'

const formatOf = (language: Language) => new Intl.NumberFormat(locales[language], { useGrouping: 'always' })
const formats = { es: formatOf('es'), en: formatOf('en') }

/** A count as text; at the cap the server has stopped counting: “10.000+” in Spanish, “10,000+” in English. */
export function countText(count: number, language: Language, cap = 10_000): string {
  const text = formats[language].format(Math.min(count, cap))
  return count >= cap ? `${text}+` : text
}

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
