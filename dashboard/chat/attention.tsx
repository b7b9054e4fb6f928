import { useEffect } from 'react'
import { waitingCount } from '../parts/page.tsx'
import { useWords, words } from '../words/words.ts'
import styles from './attention.module.css'
import { useAttention } from './use-attention.ts'

const texts = words({
  es: { unread: (count: string) => `${count} sin leer` },
  en: { unread: (count: string) => `${count} unread` },
})

/** The number of unread messages behind the entry of the navigation, which the title of the tab shows too. */
export function Attention() {
  const { unread } = useWords(texts)
  const count = useAttention()
  useEffect(() => {
    waitingCount.set(count)
    return () => waitingCount.set(0)
  }, [count])
  if (count === 0) return null
  const shown = count > 99 ? '99+' : String(count)
  return (
    <span className={styles.count} title={unread(shown)}>
      {shown}
    </span>
  )
}
