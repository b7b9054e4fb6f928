import { type ReactNode, useId } from 'react'
import { useWords, words } from '../words/words.ts'
import { Button } from './button.tsx'
import { CopyButton } from './copy.tsx'
import { downloadText } from './download.ts'
import styles from './secret.module.css'
import { Notice } from './states.tsx'

const texts = words({
  es: {
    once: 'Cópialo o descárgalo ahora: no se vuelve a mostrar.',
    download: 'Descargar',
  },
  en: {
    once: 'Copy or download it now: it is not shown again.',
    download: 'Download',
  },
})

export type SecretProps = {
  /** Names the secret: “API key”. */
  label: string
  value: string
  /** The name of the file that is downloaded. */
  fileName: string
  /** The next step, for example a command that uses it. */
  children?: ReactNode
}

/** A secret that the server shows only once: to copy, or to download as text. */
export function Secret({ label, value, fileName, children }: SecretProps) {
  const { once, download } = useWords(texts)
  const id = useId()
  return (
    <div className={styles.secret} role="group" aria-labelledby={id}>
      <p id={id} className={styles.label}>
        {label}
      </p>
      <pre className={styles.value}>{value}</pre>
      <div className={styles.actions}>
        <CopyButton text={value} form="button" />
        <Button icon="download" size="small" onPress={() => downloadText(value, fileName)}>
          {download}
        </Button>
      </div>
      <Notice kind="warn">{once}</Notice>
      {children}
    </div>
  )
}
