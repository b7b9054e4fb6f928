import styles from './code.module.css'
import { CopyButton } from './copy.tsx'

/** A command, a reply or a source text, unchanged. */
export function Code({
  text,
  label,
  isWrapped = false,
}: {
  text: string
  /** Names it for screen readers: the keyboard can focus it, to scroll. */
  label: string
  isWrapped?: boolean
}) {
  return (
    <div className={styles.code}>
      <pre
        className={`${styles.text} ${isWrapped ? styles.wrapped : ''}`}
        tabIndex={0}
        role="region"
        aria-label={label}
      >
        {text}
      </pre>
      <div className={styles.copy}>
        <CopyButton text={text} />
      </div>
    </div>
  )
}

/** A value as indented JSON. */
export function Json({ value, label }: { value: unknown; label: string }) {
  const text = JSON.stringify(value, null, 2) ?? 'null'
  return (
    <div className={styles.code}>
      <pre className={styles.text} tabIndex={0} role="region" aria-label={label}>
        {text.split('\n').map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a text have no other identity
          <JsonLine key={at} line={line} />
        ))}
      </pre>
      <div className={styles.copy}>
        <CopyButton text={text} />
      </div>
    </div>
  )
}

function JsonLine({ line }: { line: string }) {
  const [, indent = '', name = '', rest = line] = /^(\s*)("(?:[^"\\]|\\.)*": )?(.*)$/.exec(line) ?? []
  return (
    <>
      {indent}
      <span className={styles.name}>{name}</span>
      {rest}
      {'\n'}
    </>
  )
}
