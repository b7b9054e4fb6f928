import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
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
  const sent = useRef(value)
  useEffect(() => {
    // it also changes with the address, and when all filters are removed; what was sent is no news while a person types on
    if (value !== sent.current) setTyped(value)
    sent.current = value
  }, [value])
  useEffect(() => {
    if (typed === value) return
    const timer = setTimeout(() => {
      sent.current = typed
      latest.current(typed)
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [typed, value])
  function submit(text: string): void {
    setTyped(text)
    sent.current = text
    onChange(text)
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter') submit(typed)
    else if (event.key === 'Escape' && typed !== '') submit('')
    else return
    event.preventDefault()
  }
  return (
    <div className={styles.field}>
      <Icon name="search" className={styles.icon} />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        className={styles.input}
        value={typed}
        onChange={event => setTyped(event.target.value)}
        onKeyDown={onKeyDown}
        {...(maxLength !== undefined && { maxLength })}
      />
      {typed === '' ? (
        <Key name={shortcut} />
      ) : (
        <Button
          aria-label={clear}
          excludeFromTabOrder
          preventFocusOnPress
          className={styles.clear}
          onPress={() => {
            submit('')
            input.current?.focus()
          }}
        >
          <Icon name="close" />
        </Button>
      )}
    </div>
  )
}
