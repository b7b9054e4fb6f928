import { type ReactNode, useRef } from 'react'
import { Button, ComboBox, type Key, ListBox, ListBoxItem, Popover, Text } from 'react-aria-components'
import { useWords, words } from '../words/words.ts'
import { ComboInput } from './combo-input.tsx'
import styles from './field.module.css'
import { FieldFrame } from './field-frame.tsx'
import { Icon } from './icon.tsx'
import overlay from './overlay.module.css'
import { Person } from './person.tsx'

const texts = words({
  es: { none: 'Nada encaja', loading: 'Buscando…' },
  en: { none: 'Nothing fits', loading: 'Searching…' },
})

export type ComboItem = { id: string; label: string; hint?: string }
export type ComboProps = {
  label: string
  hint?: ReactNode
  name?: string
  items: readonly ComboItem[]
  /** The id of the chosen item. */
  value?: string | null
  /** `item`: the chosen one. */
  onChange?: (id: string | null, item?: ComboItem) => void
  /** The text in the field, for items that the server finds; without it the browser filters `items`. */
  search?: string
  onSearch?: (text: string) => void
  /** The reply for the text in the field is not there yet. */
  isLoading?: boolean
  onBlur?: () => void
  isRequired?: boolean
  isDisabled?: boolean
  placeholder?: string
}

/** A field with a list of entries that typing narrows down. */
export function Combo(props: ComboProps) {
  return <ComboOf {...props} show={item => <ItemWords item={item} />} />
}

/** A Combo of people. */
export function PersonPicker({
  people,
  ...combo
}: Omit<ComboProps, 'items'> & { people: readonly { id: string; name: string; email?: string }[] }) {
  const items = people.map(({ id, name, email }) => ({ id, label: name, ...(email && { hint: email }) }))
  return (
    <ComboOf
      {...combo}
      items={items}
      show={item => (
        <>
          <Person name={item.label} isNameHidden />
          <ItemWords item={item} />
        </>
      )}
    />
  )
}

function ComboOf({
  label,
  hint,
  items: found,
  value,
  onChange,
  search,
  onSearch,
  isLoading = false,
  onBlur,
  placeholder,
  show,
  ...field
}: ComboProps & { show: (item: ComboItem) => ReactNode }) {
  const text = useWords(texts)
  // those of the last reply stay until the next one is there
  const lastItems = useRef(found)
  if (!isLoading) lastItems.current = found
  const items = lastItems.current
  const itemOf = (key: Key | null) => items.find(({ id }) => id === key)
  // a field that waits for the reply to choose from it keeps its text, also without the focus
  const isChoosing = useRef(false)
  function chooseFirst(): void {
    isChoosing.current = false
    const [first] = items
    if (first) onChange?.(first.id, first)
    onBlur?.()
  }
  return (
    <ComboBox
      {...field}
      className={styles.field}
      allowsEmptyCollection
      {...(onSearch
        ? {
            items,
            inputValue: search ?? '',
            onInputChange: (typed: string) => isChoosing.current || onSearch(typed),
          }
        : { defaultItems: items })}
      {...(value !== undefined && { value })}
      {...(onChange && {
        // without the focus, React Aria repeats the former choice
        onChange: (key: Key | null) =>
          isChoosing.current || onChange(key === null ? null : String(key), itemOf(key)),
      })}
      {...(onBlur && { onBlur: () => isChoosing.current || onBlur() })}
    >
      <FieldFrame label={label} hint={hint}>
        <div className={styles.numberGroup}>
          <ComboInput
            items={items}
            isLoading={isLoading}
            isChoosing={isChoosing}
            onChooseFirst={chooseFirst}
            className={`${styles.input} ${styles.comboInput}`}
            {...(placeholder && { placeholder })}
          />
          <Button className={styles.comboButton}>
            <Icon name="chevronDown" />
          </Button>
        </div>
      </FieldFrame>
      <Popover className={`${overlay.raised} ${styles.popover}`} offset={4} maxHeight={320}>
        <ListBox
          className={styles.list}
          renderEmptyState={() => <span className={styles.none}>{isLoading ? text.loading : text.none}</span>}
        >
          {(item: ComboItem) => (
            <ListBoxItem id={item.id} textValue={item.label} className={styles.option}>
              <span className={styles.optionWords}>{show(item)}</span>
              <Icon name="check" className={styles.chosen} />
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}

function ItemWords({ item }: { item: ComboItem }) {
  return (
    <span className={styles.itemWords}>
      <Text slot="label">{item.label}</Text>
      {item.hint && (
        <Text slot="description" className={styles.optionHint}>
          {item.hint}
        </Text>
      )}
    </span>
  )
}
