import { type UIEvent, useState } from 'react'
import {
  Autocomplete,
  Dialog,
  Input,
  Menu,
  MenuItem,
  Modal,
  ModalOverlay,
  SearchField,
  Text,
} from 'react-aria-components'
import type { Command } from '../data/commands.ts'
import { useDeviceSettings } from '../data/device-settings.ts'
import { useOwnOrganizations } from '../data/own-organizations.ts'
import { Icon } from '../parts/icon.tsx'
import { Key } from '../parts/key.tsx'
import overlay from '../parts/overlay.module.css'
import { Spoken } from '../parts/spoken.tsx'
import { plural, useLanguage, useWords, words } from '../words/words.ts'
import { closeOverlay } from './overlays.ts'
import styles from './palette.module.css'
import { usePaletteCommands } from './palette-commands.ts'
import { searchCommands } from './palette-search.ts'

const texts = words({
  es: {
    title: 'Buscar o hacer',
    placeholder: 'Busca una pantalla o una acción…',
    none: 'Nada encaja. Prueba con otra palabra.',
    found: (count: number) => `${count} ${plural('es', count, 'resultado', 'resultados')}`,
  },
  en: {
    title: 'Search or do',
    placeholder: 'Find a screen or an action…',
    none: 'Nothing fits. Try another word.',
    found: (count: number) => `${count} ${plural('en', count, 'result', 'results')}`,
  },
})

const mostRecent = 8
/** Pixels below the visible entries at which the list renders more of them. */
const scrollReserve = 200

/** How many entries fill the list and its reserve, by the heights of palette.module.css: to render all would delay each key. */
function entriesInView(): number {
  const listHeight = matchMedia('(max-width: 899px)').matches ? window.innerHeight : 480
  return Math.ceil((listHeight + scrollReserve) / 36)
}

/** Every screen and every action by its name (Ctrl+K): recent ones first, found by letters in both languages. */
export function Palette() {
  const text = useWords(texts)
  const language = useLanguage()
  const [{ recentCommands }, changeDevice] = useDeviceSettings()
  const [input, setInput] = useState('')
  const commands = usePaletteCommands(useOwnOrganizations())
  const found = searchCommands(commands, input, recentCommands)
  const [renderedCount, setRenderedCount] = useState(entriesInView)

  function search(typed: string): void {
    setInput(typed)
    setRenderedCount(entriesInView())
  }

  function renderMoreNearEnd({ currentTarget }: UIEvent): void {
    const { scrollHeight, scrollTop, clientHeight } = currentTarget
    if (scrollHeight - scrollTop - clientHeight < scrollReserve && renderedCount < found.length)
      setRenderedCount(renderedCount + entriesInView())
  }

  function run(id: string): void {
    const command = commands.find(other => other.id === id)
    changeDevice({
      recentCommands: [id, ...recentCommands.filter(other => other !== id)].slice(0, mostRecent),
    })
    closeOverlay()
    if (command && 'action' in command) command.action()
  }

  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={isOpen => !isOpen && closeOverlay()}
      className={`${overlay.cover} ${styles.overlay}`}
    >
      <Modal className={`${overlay.raised} ${styles.modal}`}>
        <Dialog aria-label={text.title} className={styles.dialog}>
          <Autocomplete inputValue={input} onInputChange={search}>
            <SearchField aria-label={text.title} autoFocus className={styles.field}>
              <Icon name="search" className={styles.icon} />
              <Input placeholder={text.placeholder} className={styles.input} />
              <Key name="escape" />
            </SearchField>
            <Menu
              aria-label={text.title}
              className={styles.list}
              onScroll={renderMoreNearEnd}
              items={found.slice(0, renderedCount)}
              dependencies={[language]}
              onAction={id => run(String(id))}
              renderEmptyState={() => <p className={styles.none}>{text.none}</p>}
            >
              {command => <CommandItem command={command} />}
            </Menu>
          </Autocomplete>
          <Spoken isLive>{text.found(found.length)}</Spoken>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

function CommandItem({ command }: { command: Command }) {
  const { id, label, hint, icon, shortcut } = command
  return (
    <MenuItem
      id={id}
      textValue={label}
      className={styles.item}
      {...('href' in command && { href: command.href })}
    >
      {icon ? <Icon name={icon} className={styles.icon} /> : <span className={styles.space} />}
      <Text slot="label" className={styles.label}>
        {label}
      </Text>
      {hint && <span className={styles.hint}>{hint}</span>}
      {shortcut?.split(' ').map(key => (
        <Key key={key} name={key} />
      ))}
    </MenuItem>
  )
}
