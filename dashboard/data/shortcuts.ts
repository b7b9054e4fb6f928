import { useEffect, useRef } from 'react'
import { createStore, useStore } from '../parts/store.ts'
import { createSequence, isSingleKey, keyNameOf } from './shortcuts.rules.ts'

/** The action of a key. The label names it in the list of keys (`?`). */
export type Shortcut = { label: string; action: () => void }
export type Shortcuts = Readonly<Record<string, Shortcut | undefined>>
/** The shortcuts of one component. */
export type ShortcutGroup = { title: string; shortcuts: Shortcuts }

const isMac = /Mac|iPhone|iPad/.test(navigator.platform)
const sequence = createSequence()
const groups = createStore<readonly ShortcutGroup[]>([])
let areSingleKeysOn = true

/**
 * Binds keys while a component is shown: `{ c: { label, action } }`. Names are those of `keyNameOf`; `g l` is a
 * sequence. Keys do nothing in fields, menus and behind dialogs, and of two components the later one wins.
 * A key must never do what cannot be undone: it opens the dialog that asks.
 */
export function useShortcuts(shortcuts: Shortcuts, title = ''): void {
  const current = useRef(shortcuts)
  current.current = shortcuts
  const labels = Object.entries(shortcuts).flatMap(([name, shortcut]) =>
    shortcut ? [[name, shortcut.label]] : [],
  )
  // the shortcuts are new objects each time: bound anew only when a key or a label changes
  const shown = JSON.stringify(labels)
  useEffect(() => {
    const bound = (JSON.parse(shown) as [string, string][]).map(
      ([name, label]) => [name, { label, action: () => current.current[name]?.action() }] as const,
    )
    const group = { title, shortcuts: Object.fromEntries(bound) }
    groups.set([...groups.get(), group])
    return () => groups.set(groups.get().filter(other => other !== group))
  }, [shown, title])
}

/** Every shortcut that works now, for the list of keys. */
export function useShortcutGroups(): readonly ShortcutGroup[] {
  return useStore(groups)
}

/** Switches shortcuts of one character off or on (the preference `singleKeyShortcuts`). */
export function setSingleKeyShortcuts(isOn: boolean): void {
  areSingleKeysOn = isOn
}

/** Listens to the keyboard of the page. Returns the function that ends it. */
export function listenToShortcuts(): () => void {
  document.addEventListener('keydown', onKeyDown)
  return () => document.removeEventListener('keydown', onKeyDown)
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || ['Shift', 'Control', 'Alt', 'Meta'].includes(event.key))
    return
  const isAltGraph = event.getModifierState('AltGraph')
  const name = keyNameOf({ ...modifiersOf(event), key: event.key, isAltGraph }, isMac)
  if (name === undefined || (!name.startsWith('mod+') && takesKeys(event.target)) || isBehindDialog()) {
    sequence.reset()
    return
  }
  const usable = groups
    .get()
    .flatMap(group => Object.keys(group.shortcuts))
    .filter(key => areSingleKeysOn || !isSingleKey(key))
  const found = sequence.next(name, event.timeStamp, new Set(usable))
  if (found === undefined) return
  event.preventDefault()
  if (found === 'pending') return
  groups
    .get()
    .findLast(group => group.shortcuts[found])
    ?.shortcuts[found]?.action()
}

function modifiersOf({ shiftKey, ctrlKey, altKey, metaKey }: KeyboardEvent) {
  return { shiftKey, ctrlKey, altKey, metaKey }
}

/** Whether the element takes keys itself: fields type them, menus and lists search with them. */
function takesKeys(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable ||
    target.closest(
      'input:not([type=checkbox]):not([type=radio]), textarea, select, [role=menu], [role=listbox]',
    ) !== null
  )
}

/** A modal dialog hides the rest of the page, and its keys with it. */
export function isBehindDialog(): boolean {
  return document.getElementById('main')?.closest('[inert], [aria-hidden=true]') != null
}
