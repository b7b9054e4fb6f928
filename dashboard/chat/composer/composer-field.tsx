import { type KeyboardEvent, type Ref, useId, useImperativeHandle, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Person } from '../../parts/person.tsx'
import { useWords } from '../../words/words.ts'
import styles from './composer.module.css'
import { composerTexts } from './composer.words.ts'
import { findMentionable, type Mentionable, searchAt } from './mention.rules.ts'

export type FieldHandle = { focus: () => void; mention: () => void }
type ComposerFieldProps = {
  ref: Ref<FieldHandle>
  label: string
  value: string
  mentionable: readonly Mentionable[]
  onChange: (value: string) => void
  onMention: (value: string, mentioned: Mentionable) => void
  /** Whether the person is looking for a name. */
  onMentioning: (isMentioning: boolean) => void
  onSend: () => void
  onCycle: () => void
  onEditLast: () => void
  onFiles: (files: readonly File[]) => void
}

/** The field of the composer. Enter sends, Shift+Enter begins a line, and `@` lists those whom it can mention. */
export function ComposerField(props: ComposerFieldProps) {
  const { ref, label, value, mentionable, onChange, onMention, onMentioning } = props
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [search, setSearch] = useState<{ start: number; search: string }>()
  const [chosen, setChosen] = useState(0)
  const found = search ? findMentionable(mentionable, search.search) : []
  const isOpen = found.length > 0

  function look(words: string, caret: number): void {
    const next = searchAt(words, caret)
    setSearch(next)
    setChosen(0)
    onMentioning(next !== undefined)
  }
  /** Sets the words and the caret at once: the next key may follow within the same frame. */
  function set(words: string, caret: number, change: (words: string) => void): void {
    flushSync(() => change(words))
    field.current?.focus()
    field.current?.setSelectionRange(caret, caret)
  }
  function choose(mentioned: Mentionable | undefined): void {
    if (!mentioned || !search) return
    const rest = value.slice(search.start + 1 + search.search.length)
    const name = `@${mentioned.name} `
    setSearch(undefined)
    onMentioning(false)
    set(value.slice(0, search.start) + name + rest.replace(/^ /, ''), search.start + name.length, words =>
      onMention(words, mentioned),
    )
  }
  useImperativeHandle(ref, () => ({
    focus: () => field.current?.focus(),
    mention() {
      const caret = field.current?.selectionStart ?? value.length
      const before = value.slice(0, caret)
      const sign = before === '' || /\s$/.test(before) ? '@' : ' @'
      const words = before + sign + value.slice(caret)
      set(words, caret + sign.length, onChange)
      look(words, caret + sign.length)
    },
  }))
  /** Keys of the list of names. True if it took the key. */
  function onListKey(key: string): boolean {
    if (!isOpen) return false
    if (key === 'ArrowDown') setChosen((chosen + 1) % found.length)
    else if (key === 'ArrowUp') setChosen((chosen + found.length - 1) % found.length)
    else if (key === 'Enter' || key === 'Tab') choose(found[chosen])
    else if (key === 'Escape') setSearch(undefined)
    else return false
    return true
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return
    if (onListKey(event.key)) {
      // Escape closes the list and not the sheet around it
      event.stopPropagation()
    } else if (event.key === 'Enter' && !event.shiftKey) props.onSend()
    else if (event.altKey && event.code === 'KeyI') props.onCycle()
    else if (event.key === 'ArrowUp' && value === '') props.onEditLast()
    else if (event.key === 'Escape') field.current?.blur()
    else return
    event.preventDefault()
  }
  return (
    <div className={styles.fieldPlace}>
      {isOpen && <MentionList id={id} found={found} chosen={chosen} onChoose={choose} />}
      <textarea
        ref={field}
        rows={1}
        aria-label={label}
        placeholder={label}
        className={styles.field}
        value={value}
        aria-autocomplete="list"
        {...(isOpen && {
          'aria-controls': `${id}-list`,
          'aria-activedescendant': `${id}-${found[chosen]?.id}`,
        })}
        onChange={({ target }) => {
          onChange(target.value)
          look(target.value, target.selectionStart)
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setSearch(undefined)}
        onPaste={event => {
          const files = [...event.clipboardData.files]
          if (files.length === 0) return
          event.preventDefault()
          props.onFiles(files)
        }}
      />
    </div>
  )
}

/** The names that a person can mention, above the field. */
function MentionList({
  id,
  found,
  chosen,
  onChoose,
}: {
  /** The id of the field, from which the ids of the list and of its entries are made. */
  id: string
  found: readonly Mentionable[]
  chosen: number
  onChoose: (mentioned: Mentionable) => void
}) {
  const text = useWords(composerTexts)
  return (
    <div id={`${id}-list`} role="listbox" aria-label={text.mentions} className={styles.names}>
      {found.map((one, at) => (
        // biome-ignore lint/a11y: the field has the focus and the keys, as the combobox pattern has it
        <div
          key={one.id}
          id={`${id}-${one.id}`}
          role="option"
          aria-selected={at === chosen}
          className={styles.entry}
          onPointerDown={event => event.preventDefault()}
          onClick={() => onChoose(one)}
        >
          <Person name={one.name} kind={one.kind} />
        </div>
      ))}
    </div>
  )
}
