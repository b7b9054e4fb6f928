import { useEffect, useRef, useState } from 'react'
import { SearchField as AriaSearchField, Button, Input } from 'react-aria-components'
import { useWords, words } from '../words/words.ts'
import { Icon } from './icon.tsx'
import { Key } from './key.tsx'
import styles from './search-field.module.css'
import { useShortcut } from './shortcuts.ts'

const texts = words({ es: { clear: 'Borrar la búsqueda' }, en: { clear: 'Clear the search' } })
const pauseMs = 250

export type SearchFieldProps = {
  /** Names it and is its placeholder: “Search leads”. */
  label: string
  value: string
  /** Runs after a short pause in typing, and at once on Enter and Escape. */
  onChange: (value: string) => void
  maxLength?: number
  /** The key that focuses it; usually `/`. */
  shortcut?: string
}

/** A field that searches a list while the person types. */
export function SearchField({ label, value, onChange, maxLength, shortcut = '/' }: SearchFieldProps) {
  const { clear } = useWords(texts)
  const [typed, setTyped] = useState(value)
  const input = useRef<HTMLInputElement>(null)
  useShortcut(shortcut, () => input.current?.select())
  const latest = useRef(onChange)
  useEffect(() => {
    latest.current = onChange
  })
  // the value also changes with the address, and when all filters are removed
  useEffect(() => setTyped(value), [value])
  useEffect(() => {
    if (typed === value) return
    const timer = setTimeout(() => latest.current(typed), pauseMs)
    return () => clearTimeout(timer)
  }, [typed, value])
  return (
    <AriaSearchField
      aria-label={label}
      value={typed}
      onChange={setTyped}
      onSubmit={text => onChange(text)}
      onClear={() => onChange('')}
      className={styles.field}
      {...(maxLength !== undefined && { maxLength })}
    >
      <Icon name="search" className={styles.icon} />
      <Input ref={input} placeholder={label} className={styles.input} />
      {typed === '' ? (
        <Key name={shortcut} />
      ) : (
        <Button aria-label={clear} className={styles.clear}>
          <Icon name="close" />
        </Button>
      )}
    </AriaSearchField>
  )
}
