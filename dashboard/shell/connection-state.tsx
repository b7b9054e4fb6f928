import { useEffect, useState } from 'react'
import { minutesSince, useConnection } from '../data/connection.ts'
import { useWords } from '../words/words.ts'
import { shellTexts } from './shell.words.ts'
import styles from './sidebar.module.css'

/** Whether changes of others arrive: live, reconnecting, refused for too many streams, or offline and for how long. */
export function ConnectionState() {
  const text = useWords(shellTexts)
  const { state, since } = useConnection()
  const [, tick] = useState(0)
  useEffect(() => {
    if (state !== 'offline') return
    const timer = setInterval(() => tick(count => count + 1), 10_000)
    return () => clearInterval(timer)
  }, [state])
  const words = state === 'offline' ? text.offline(minutesSince(since)) : text[state]
  return (
    <span className={styles.connection} data-state={state} role="status" title={words}>
      <span className={styles.dot} aria-hidden="true" />
      <span className={styles.word}>{words}</span>
    </span>
  )
}
