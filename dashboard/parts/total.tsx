import styles from './total.module.css'

const format = new Intl.NumberFormat('es-ES', { useGrouping: 'always' })

/** A count as text; at the cap the server has stopped counting: “10.000+”. */
export function countText(count: number, cap = 10_000): string {
  return count >= cap ? `${format.format(cap)}+` : format.format(count)
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
  const text = countText(count, cap)
  return (
    <span className={styles.total}>
      {isLive && <span className={styles.dot} aria-hidden="true" />}
      {text}
      {label && ` ${label}`}
    </span>
  )
}
