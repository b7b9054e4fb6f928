import { useWords, words } from '../words/words.ts'
import { CopyButton } from './copy.tsx'
import styles from './id.module.css'

const texts = words({ es: { copyId: 'Copiar identificador' }, en: { copyId: 'Copy identifier' } })

/** An identifier in mono, with a button that copies it. */
export function Id({ value, isShortened = false }: { value: string; isShortened?: boolean }) {
  const { copyId } = useWords(texts)
  const isCut = isShortened && value.length > 12
  return (
    <span className={styles.id}>
      <code className={styles.value} title={isCut ? value : undefined}>
        {isCut ? `${value.slice(0, 4)}…${value.slice(-4)}` : value}
      </code>
      <CopyButton text={value} label={copyId} />
    </span>
  )
}
