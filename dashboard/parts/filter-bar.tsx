import { useId, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import { useWords, words } from '../words/words.ts'
import styles from './filter-bar.module.css'
import type { FilterField } from './filter-menu.tsx'
import { Icon } from './icon.tsx'
import { Key } from './key.tsx'
import { late } from './late.tsx'
import { useShortcut } from './shortcuts.ts'

const texts = words({
  es: {
    filter: 'Filtro',
    add: 'Añadir filtro',
    is: 'es',
    remove: (field: string) => `Quitar el filtro ${field}`,
    clear: 'Quitar todos',
    label: 'Filtros',
  },
  en: {
    filter: 'Filter',
    add: 'Add a filter',
    is: 'is',
    remove: (field: string) => `Remove the filter ${field}`,
    clear: 'Clear',
    label: 'Filters',
  },
})

export type { FilterField } from './filter-menu.tsx'

const FilterMenu = late(() => import('./filter-menu.tsx').then(menu => menu.FilterMenu))

export type Filters = Readonly<Record<string, string>>

export type FilterBarProps = {
  fields: readonly FilterField[]
  filters: Filters
  onChange: (filters: Filters) => void
  /** Before the filters: a search field, views. */
  start?: React.ReactNode
  /** At the end of the line: the total, a switch, the primary button. */
  end?: React.ReactNode
}

/** The filters of a list as a line of sentences: “status is open”. `f` adds one. */
export function FilterBar({ fields, filters, onChange, start, end }: FilterBarProps) {
  const { label, clear } = useWords(texts)
  const shown = fields.flatMap(field => {
    const value = filters[field.id]
    return value === undefined ? [] : [{ field, value }]
  })
  const set = (id: string, value: string | undefined) => onChange(changedFilters(filters, id, value))
  return (
    <div className={styles.bar}>
      {start}
      <div role="group" aria-label={label} className={styles.filters}>
        {shown.map(({ field, value }) => (
          <FilterToken key={field.id} field={field} value={value} onRemove={() => set(field.id, undefined)} />
        ))}
        {shown.length < fields.length && (
          <AddFilter fields={fields.filter(({ id }) => filters[id] === undefined)} onAdd={set} />
        )}
        {shown.length > 1 && (
          <Button className={styles.clear} onPress={() => onChange({})}>
            {clear}
          </Button>
        )}
      </div>
      {end && <div className={styles.end}>{end}</div>}
    </div>
  )
}

function FilterToken({
  field,
  value,
  onRemove,
}: {
  field: FilterField
  value: string
  onRemove: () => void
}) {
  const { is, remove } = useWords(texts)
  const name = field.values.find(one => one.value === value)?.label ?? value
  return (
    <span className={styles.token}>
      <span className={styles.sentence}>
        {field.label} <span className={styles.quiet}>{is}</span> {name}
      </span>
      <Button className={styles.remove} aria-label={remove(field.label)} onPress={onRemove}>
        <Icon name="close" className={styles.cross} />
      </Button>
    </span>
  )
}

function AddFilter({
  fields,
  onAdd,
}: {
  fields: readonly FilterField[]
  onAdd: (field: string, value: string) => void
}) {
  const { filter, add } = useWords(texts)
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  function open(): void {
    // where the focus returns to, also after the key
    button.current?.focus()
    setOpen(true)
  }
  useShortcut('f', open)
  return (
    <>
      <Button
        ref={button}
        id={id}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        className={styles.add}
        onPress={open}
        onHoverStart={FilterMenu.preload}
        onFocus={FilterMenu.preload}
      >
        <Icon name="plus" className={styles.cross} /> {filter}
        <Key name="f" />
      </Button>
      {isOpen && (
        <FilterMenu
          label={add}
          button={button}
          buttonId={id}
          fields={fields}
          onAdd={onAdd}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

/** The filters with one of them changed, or without it. */
function changedFilters(filters: Filters, id: string, value: string | undefined): Filters {
  const { [id]: _former, ...others } = filters
  return value === undefined ? others : { ...others, [id]: value }
}
